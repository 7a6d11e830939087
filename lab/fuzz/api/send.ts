import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { errors, type Pool } from 'undici';
import type { Draft } from './corrupt.ts';

/** The response, and its duration. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  /** The body as text. */
  text: string;
  ms: number;
  /** Whether the stream was still open when enough of it had been read. */
  isOpen: boolean;
}

/** How long an event stream is read. */
const streamMs = 20;

/** The target of a draft, as it is sent. */
export function targetOf({ path, query }: Draft): string {
  const pairs = query.map(([name, value]) => `${name}=${value}`);
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}

/** Operations that may wait for a worker: none runs, so the client disconnects soon. */
const waitingPaths = /\/(content|archive|pages\/[^/]+\/\w+|renditions\/\w+|stream)$/;
const waitTimeoutMs = 150;

/**
 * Sends a draft. Returns null for a request that an HTTP client rejects, and if the client
 * disconnected before the response.
 */
export async function send(pool: Pool, draft: Draft): Promise<ApiResponse | null> {
  try {
    return await sendOnce(pool, draft);
  } catch (error) {
    // The server closes idle connections, such as this one just when the request was sent. A second
    // failure in a row is the request's fault.
    if (!(error instanceof errors.SocketError)) throw error;
    return sendOnce(pool, draft);
  }
}

async function sendOnce(pool: Pool, draft: Draft): Promise<ApiResponse | null> {
  const signal = waitingPaths.test(draft.path) ? AbortSignal.timeout(waitTimeoutMs) : null;
  const started = performance.now();
  try {
    const response = await pool.request({
      method: draft.method as 'GET',
      path: targetOf(draft),
      headers: draft.headers,
      body: draft.body ?? null,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      signal,
    });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    );
    const chunks: Buffer[] = [];
    let open = false;
    const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
    const timer = isStream
      ? setTimeout(() => {
          open = true;
          response.body.destroy();
        }, streamMs)
      : null;
    try {
      for await (const chunk of response.body) chunks.push(chunk);
    } catch (error) {
      if (!open) throw error;
    } finally {
      if (timer) clearTimeout(timer);
    }
    const body = decode(Buffer.concat(chunks), headers['content-encoding']);
    const ms = performance.now() - started;
    return {
      status: response.statusCode,
      headers,
      body,
      text: body.toString('utf8'),
      ms,
      isOpen: open,
    };
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError || signal?.aborted) return null;
    throw error;
  }
}

function decode(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'gzip' ? gunzipSync(body) : body;
}
