import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../../contracts/problems.ts';

/** For the next bytes of an upload to arrive. */
const idleMs = 30_000;
/** After a refusal, what is still read so that the client, who is sending, hears it. */
const lateBytes = 16 * 1024 * 1024;
const lateMs = 2_000;

/**
 * The bytes of a body as they arrive. Whoever stops reading leaves the connection usable for the
 * answer.
 * @throws Problem 413 past `maxBytes`, 408 when nothing arrives for a while, 400 when they break off
 */
export async function* bodyBytes(
  request: IncomingMessage,
  maxBytes: number,
  options: { idleMs?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const pieces = request.iterator({ destroyOnReturn: false });
  let stop: (problem: Problem) => void = () => undefined;
  const timer = setTimeout(
    () => stop(new Problem('request_timeout', 'The bytes of the upload stopped arriving.')),
    options.idleMs ?? idleMs,
  );
  // A promise for each piece: a race against one that lasts would keep every piece that won.
  const read = () =>
    new Promise<IteratorResult<unknown>>((resolve, reject) => {
      stop = reject;
      timer.refresh();
      pieces.next().then(resolve, reject);
    });
  let total = 0;
  try {
    for (;;) {
      const next = await read();
      if (next.done) return;
      const piece: unknown = next.value;
      if (!Buffer.isBuffer(piece)) throw new TypeError('A request is read as bytes.');
      total += piece.length;
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
