import type { ServerResponse } from 'node:http';
import { Problem } from '../../contracts/problems.ts';

/** Whether a response is over: sent, or broken off. It emits `close` no more. */
export function isOver(response: ServerResponse): boolean {
  return response.destroyed || response.closed;
}

/** One listener of Node's for each response, however many wait for its end. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Runs `listener` once when a response is over; at once when it already is. A plain `close` listener
 * that is added after an `await` may be too late, and then never runs.
 */
export function whenOver(response: ServerResponse, listener: () => void): void {
  if (isOver(response)) {
    listener();
    return;
  }
  const known = waiting.get(response);
  if (known) {
    known.push(listener);
    return;
  }
  const listeners = [listener];
  waiting.set(response, listeners);
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
