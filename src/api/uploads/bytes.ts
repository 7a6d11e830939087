import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../../contracts/problems.ts';

/** How long an upload is waited for until it has brought so many bytes more. */
const idleMs = 30_000;
const leastBytes = 4 * 1024;
/** After a refusal, what is still read so that the client, who is sending, hears it. */
const lateBytes = 16 * 1024 * 1024;
const lateMs = 2_000;

/**
 * The bytes of a body as they arrive. Whoever stops reading leaves the connection usable for the
 * answer.
 * @throws Problem 413 past `maxBytes`, 408 when next to nothing arrives for a while, 400 when they
 *   break off
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
  // A promise for each piece: a race against one that lasts would keep every piece that won.
  const read = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Problem('request_timeout', 'The bytes of the upload stopped arriving.')),
        left,
      );
      pieces.next().then(resolve, reject);
    });
  /** Only what the client takes counts, and a few bytes now and then do not start it over. */
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
      if (!Buffer.isBuffer(piece)) throw new TypeError('A request is read as bytes.');
      count(piece.length);
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    if (error instanceof Problem || error instanceof TypeError) throw error;
    throw new Problem('malformed_request', 'The upload broke off before it was complete.');
  } finally {
    clearTimeout(timer);
    // While a read is pending this waits for it, which nobody has time for.
    pieces.return?.().catch(() => undefined);
  }
}

/** 413 for an upload of more bytes than it may have. */
export function tooLarge(maxBytes: number): Problem {
  return new Problem('payload_too_large', `An upload may have at most ${maxBytes} bytes.`, {
    extra: { limit_bytes: maxBytes },
  });
}

/**
 * Lets a client that is still sending hear a refusal: what comes late is read and dropped for a
 * moment, then the connection is cut. Without it the answer would be lost in a reset.
 */
export function hearOut(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  if (request.headers.expect !== undefined) {
    // The client may never send its body now, and then its next request would be read as one.
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
