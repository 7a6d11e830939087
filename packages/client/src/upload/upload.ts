import { ScriptoriumError } from '../error.ts';
import type { Upload } from '../generated.ts';
import type { UploadOffset, Uploads } from '../resources/uploads.ts';
import { backoff, pause } from '../retry.ts';
import type { RequestOptions, Transport } from '../transport.ts';
import {
  bytesSource,
  type Flow,
  type Source,
  sourceOf,
  takeFrom,
  type Uploadable,
} from './source.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
/** Smaller files are sent in one request. */
const smallBytes = 8 * MiB;
const minChunk = 256 * KiB;
const maxChunk = 16 * MiB;

export interface UploadOptions extends Omit<RequestOptions, 'ifMatch'> {
  /** The filename; required if the file has none. */
  filename?: string | undefined;
  /** The declared media type. The service detects the type from the bytes. */
  contentType?: string | undefined;
  tags?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** `allow` creates a new object even if one with the same bytes and name exists. */
  onDuplicate?: 'reuse' | 'allow' | undefined;
  /** The size of a stream. Without it, a stream cannot be resumed. */
  bytes?: number | undefined;
  /** Called with the number of stored bytes and the total (null if unknown). */
  onProgress?: ((progress: { sent: number; total: number | null }) => void) | undefined;
  /**
   * Called with the id of a resumable upload before its first byte. Store it to resume after a
   * crash.
   */
  onUpload?: ((id: string) => void) | undefined;
  /** Resumes this upload where it stopped. */
  uploadId?: string | undefined;
}

/**
 * Uploads a file: a small one in one request; a larger one, or one with tags or metadata, with tus.
 * Resumes after a lost connection. `signal` aborts the upload; the received part can be resumed
 * with `uploadId`.
 */
export async function upload(
  transport: Transport,
  uploads: Uploads,
  given: Uploadable,
  options: UploadOptions,
): Promise<Upload> {
  const source = sourceOf(given, options.bytes);
  const filename = options.filename ?? ('pieces' in source ? undefined : source.filename);
  if (!filename) throw new TypeError('The upload requires a filename.');
  const named = { ...options, filename };
  if ('pieces' in source) return sendFlow(transport, uploads, source, named);
  const plain = !options.tags && !options.metadata && !options.uploadId;
  // The length of an upload must not be 0; the service rejects empty files itself.
  return (plain && source.bytes <= smallBytes) || source.bytes === 0
    ? sendWhole(transport, source, named)
    : sendInChunks(transport, uploads, source, named);
}

type Named = UploadOptions & { filename: string };

async function sendWhole(transport: Transport, source: Source, options: Named): Promise<Upload> {
  const total = source.bytes;
  options.onProgress?.({ sent: 0, total });
  const body = await source.read(0, total);
  const contentType = options.contentType ?? source.contentType;
  const made = await send(transport, body, { ...options, contentType });
  options.onProgress?.({ sent: total, total });
  return made;
}

/** Sends a stream of unknown size: in one request if it is short; a long one is sent only once. */
async function sendFlow(
  transport: Transport,
  uploads: Uploads,
  { pieces }: Flow,
  options: Named,
): Promise<Upload> {
  const { bytes, rest, ended } = await takeFrom(pieces, new Uint8Array(), smallBytes);
  if (ended) return upload(transport, uploads, bytesSource(bytes), options);
  if (options.tags || options.metadata || options.uploadId) {
    const detail = `A stream of more than ${smallBytes / MiB} MiB requires its size (\`bytes\`) for tags or metadata, or to be resumed.`;
    throw new TypeError(detail);
  }
  let sent = 0;
  const told = (chunk: Uint8Array): Uint8Array => {
    sent += chunk.byteLength;
    options.onProgress?.({ sent, total: null });
    return chunk;
  };
  const waiting = [bytes, rest];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const ready = waiting.shift();
      if (ready) return controller.enqueue(told(ready));
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(told(next.value));
    },
    cancel: async () => void (await pieces.return?.()),
  });
  return send(transport, body, options);
}

function send(
  transport: Transport,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { filename, contentType, onDuplicate, ...options }: Named,
): Promise<Upload> {
  const query = onDuplicate ? { on_duplicate: onDuplicate } : {};
  const headers = {
    ...options.headers,
    'Content-Type': contentType ?? 'application/octet-stream',
    'X-Filename': encodeURIComponent(filename),
  };
  // Without a timeout: the duration depends on the number of bytes.
  const timeoutMs = options.timeoutMs ?? 600_000;
  return transport.call('uploadObject', { query, body }, { ...options, headers, timeoutMs });
}

async function sendInChunks(
  transport: Transport,
  uploads: Uploads,
  source: Source,
  options: Named,
): Promise<Upload> {
  const { signal, tags, metadata, onProgress } = options;
  const request = { signal, timeoutMs: options.timeoutMs, maxRetries: options.maxRetries };
  const total = source.bytes;
  const known = options.uploadId;
  const id = known ?? (await begin(uploads, source, options, request));
  if (!known) options.onUpload?.(id);
  let at = known ? await resume(uploads, id, source, request) : { offset: 0, objectId: null };
  onProgress?.({ sent: at.offset, total });
  const patience = (options.maxRetries ?? transport.maxRetries) * 3;
  let chunk = MiB;
  let failures = 0;
  while (at.offset < total || at.objectId === null) {
    const bytes = await source.read(at.offset, Math.min(chunk, total - at.offset));
    const began = performance.now();
    try {
      at = await uploads.append(id, { offset: at.offset, bytes }, request);
      failures = 0;
      chunk = nextChunk(chunk, performance.now() - began);
    } catch (error) {
      if (!mayGoOn(error) || failures >= patience) throw error;
      failures += 1;
      chunk = minChunk;
      await pause(backoff(failures), signal);
      at = await resume(uploads, id, source, request);
    }
    onProgress?.({ sent: at.offset, total });
  }
  const [object, record] = await Promise.all([
    transport.call('getObject', { params: { id: at.objectId } }, request),
    uploads.get(id, request),
  ]);
  const deduplicated = record.deduplicated ?? false;
  const ignored = deduplicated && (tags !== undefined || metadata !== undefined);
  const { image_id } = record;
  return { ...object, image_id, deduplicated, warnings: ignored ? ['tags_ignored'] : [] };
}

function begin(
  uploads: Uploads,
  source: Source,
  options: Named,
  request: RequestOptions,
): Promise<string> {
  const { filename, contentType = source.contentType, tags, metadata, onDuplicate } = options;
  const { bytes } = source;
  return uploads.create({ filename, bytes, contentType, tags, metadata, onDuplicate }, request);
}

/** The offset of an upload that was started with the same file. */
async function resume(
  uploads: Uploads,
  id: string,
  source: Source,
  request: RequestOptions,
): Promise<UploadOffset> {
  const { bytes, offset, object_id: objectId } = await uploads.get(id, request);
  if (bytes !== source.bytes) {
    throw new TypeError(`Upload ${id} has ${bytes} bytes, but this file has ${source.bytes}.`);
  }
  return { offset, objectId };
}

/** Adapts the chunk size so that progress is reported about once a second. */
function nextChunk(chunk: number, tookMs: number): number {
  if (tookMs < 500) return Math.min(chunk * 2, maxChunk);
  return tookMs > 2_000 ? Math.max(chunk / 2, minChunk) : chunk;
}

/** Whether to get the offset and continue after an error. */
function mayGoOn(error: unknown): boolean {
  if (!(error instanceof ScriptoriumError)) return false;
  const { code, retryable, status } = error;
  return retryable || status === 460 || code === 'offset_mismatch' || code === 'upload_locked';
}
