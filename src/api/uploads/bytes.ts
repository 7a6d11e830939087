import type { IncomingMessage, ServerResponse } from 'node:http';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { cutShort } from '../requests/body.ts';

/** The time limit for an upload to send `leastBytes` more. */
const idleMs = 30_000;
const leastBytes = 4 * 1024;
/**
 * How much is still read after a rejection, so that a client that is sending receives the response.
 */
const lateBytes = 16 * 1024 * 1024;
const lateMs = 2_000;

/**
 * Yields the bytes of a body as they arrive. If the caller stops reading, the connection can still
 * send the response.
 * @throws Problem 413 above `maxBytes`, 408 if the upload stalls, 400 if the connection breaks
 */
export async function* bodyBytes(
  request: IncomingMessage,
  maxBytes: number,
  options: { idleMs?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const pieces = request.iterator({ destroyOnReturn: false });
  let left = options.idleMs ?? idleMs;
  let total = 0;
  let fresh = 0;
  let timer: NodeJS.Timeout | undefined;
  // A promise per piece: racing against a long-lived promise would retain every piece.
  const read = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      timer = setTimeout(() => reject(new Problem('request_timeout', 'The upload stalled.')), left);
      pieces.next().then(resolve, reject);
    });
  /** Counts only the time that the client takes. An occasional few bytes do not reset it. */
  const readInTime = async () => {
    const from = performance.now();
    try {
      return await read();
    } finally {
      clearTimeout(timer);
      left -= performance.now() - from;
    }
  };
  const count = (bytes: number): void => {
    total += bytes;
    fresh += bytes;
    if (fresh < leastBytes) return;
    fresh = 0;
    left = options.idleMs ?? idleMs;
  };
  try {
    for (;;) {
      const next = await readInTime();
      if (next.done) return;
      const piece: unknown = next.value;
      if (!Buffer.isBuffer(piece)) throw new TypeError('Expected the request as bytes.');
      count(piece.length);
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) throw error;
    throw cutShort('upload');
  } finally {
    clearTimeout(timer);
    // Not awaited: this would wait for a pending read.
    pieces.return?.().catch(() => undefined);
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
 * Allows a client that is still sending to receive a rejection: further bytes are read and
 * discarded for a moment, then the connection is closed. Otherwise a reset could discard the
 * response.
 */
export function hearOut(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  if (request.headers.expect !== undefined) {
    // The client may now skip its body, and its next request would be read as that body.
    response.setHeader('Connection', 'close');
  }
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    let dropped = 0;
    const cut = (): void => {
      clearTimeout(timer);
      request.socket.destroy();
    };
    const timer = setTimeout(cut, lateMs);
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => {
      dropped += piece.length;
      if (dropped > lateBytes) cut();
    });
  });
}
