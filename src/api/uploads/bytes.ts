import type { IncomingMessage, ServerResponse } from 'node:http';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { incompleteRequest } from '../requests/body.ts';

/** The time limit for an upload to send the next `minBytesPerPeriod` bytes. */
const idleMs = 30_000;
const minBytesPerPeriod = 4 * 1024;
/**
 * The limits for discarding a body after a rejection, so that a client that is still sending
 * receives the response.
 */
const maxDiscardedBytes = 16 * 1024 * 1024;
const maxDiscardMs = 2_000;

/**
 * Yields the bytes of a body as they arrive. If the caller stops reading, the response can still be
 * sent.
 * @throws Problem 413 above `maxBytes`, 408 if the upload stalls, 400 if the connection breaks
 */
export async function* readBody(
  request: IncomingMessage,
  maxBytes: number,
  options: { idleMs?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = request.iterator({ destroyOnReturn: false });
  let remainingMs = options.idleMs ?? idleMs;
  let total = 0;
  let bytesInPeriod = 0;
  let timer: NodeJS.Timeout | undefined;
  // A new promise for each chunk: racing against a long-lived promise would retain every chunk.
  const read = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Problem('request_timeout', 'The upload stalled.')),
        remainingMs,
      );
      chunks.next().then(resolve, reject);
    });
  /** Counts only the time that the client takes. A few bytes now and then do not reset it. */
  const readInTime = async () => {
    const from = performance.now();
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      remainingMs -= performance.now() - from;
    }
  };
  const count = (bytes: number): void => {
    total += bytes;
    bytesInPeriod += bytes;
    if (bytesInPeriod < minBytesPerPeriod) return;
    bytesInPeriod = 0;
    remainingMs = options.idleMs ?? idleMs;
  };
  try {
    for (;;) {
      const next = await readInTime();
      if (next.done) return;
      const chunk: unknown = next.value;
      if (!Buffer.isBuffer(chunk)) throw new TypeError('Expected the request as bytes.');
      count(chunk.length);
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) throw error;
    throw incompleteRequest('upload');
  } finally {
    clearTimeout(timer);
    // Not awaited, because it would wait for a pending read.
    chunks.return?.().catch(() => undefined);
  }
}

/** 413 for an upload that is too large. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem(
    'payload_too_large',
    `The upload must have at most ${pluralise(maxBytes, 'byte')}.`,
    {
      extra: { limit_bytes: maxBytes },
    },
  );
}

/**
 * Lets a client that is still sending receive a rejection: reads and discards a limited number of
 * bytes for a short time, then closes the connection. Without this, a reset could discard the
 * response.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  if (request.headers.expect !== undefined) {
    // The client may omit its body, and its next request would be parsed as that body.
    response.setHeader('Connection', 'close');
  }
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    let discardedBytes = 0;
    const disconnect = (): void => {
      clearTimeout(timer);
      request.socket.destroy();
    };
    const timer = setTimeout(disconnect, maxDiscardMs);
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => {
      discardedBytes += piece.length;
      if (discardedBytes > maxDiscardedBytes) disconnect();
    });
  });
}
