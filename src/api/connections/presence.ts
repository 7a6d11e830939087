import type { ServerResponse } from 'node:http';
import { Problem } from '@scriptorium/contracts/problems';

/** Whether a response was sent or aborted. It no longer emits `close`. */
export function isOver(response: ServerResponse): boolean {
  return response.destroyed || response.closed;
}

const waiting = Symbol('waiting');

/** A response with the listeners for its end, which share one Node listener. */
type Awaited = ServerResponse & { [waiting]?: (() => void)[] };

/**
 * Runs `listener` once the response is over, immediately if it already is. A plain `close` listener
 * that is added after an `await` may be too late and never run.
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

/** A signal that is aborted when the client disconnects before the response is complete. */
export function departure(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  whenOver(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/**
 * Ends a request whose client has disconnected.
 * @throws Problem, which is not sent
 */
export function requirePresence(response: ServerResponse): void {
  if (isOver(response)) {
    throw new Problem(
      'malformed_request',
      'The client disconnected before the response was ready.',
    );
  }
}
