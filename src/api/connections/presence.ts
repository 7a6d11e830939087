import type { ServerResponse } from 'node:http';
import { Problem } from '../../contracts/problems.ts';

/** Whether a response is over: sent, or broken off. It emits `close` no more. */
export function isOver(response: ServerResponse): boolean {
  return response.destroyed || response.closed;
}

const waiting = Symbol('waiting');

/** A response with those who wait for its end, who share one listener of Node's. */
type Awaited = ServerResponse & { [waiting]?: (() => void)[] };

/**
 * Runs `listener` once when a response is over; at once when it already is. A plain `close` listener
 * that is added after an `await` may be too late, and then never runs.
 */
export function whenOver(response: Awaited, listener: () => void): void {
  if (isOver(response)) {
    listener();
    return;
  }
  const known = response[waiting];
  if (known) {
    known.push(listener);
    return;
  }
  const listeners = [listener];
  response[waiting] = listeners;
  response.once('close', () => {
    for (const each of listeners) each();
  });
}

/** Fires when the client leaves before it has the whole answer; has fired when it already left. */
export function departure(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenOver(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/**
 * Ends a request early whose client has left while it was checked.
 * @throws Problem, which nobody hears
 */
export function requirePresence(response: ServerResponse): void {
  if (isOver(response)) {
    throw new Problem('malformed_request', 'The client left before its answer was ready.');
  }
}
