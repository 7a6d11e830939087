import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@scriptorium/contracts/problems';

/** Whether a response was sent or aborted. `close` was already emitted. */
function isOver(response: ServerResponse): boolean {
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

/** The maximum number of pipelined requests per connection; clients rarely send two. */
const maxUnanswered = 32;

/** The unanswered requests of each connection. */
export interface Pipeline {
  /** Adds a request; false if its connection has too many pending. */
  enter(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Makes every response emit `close` when its connection closes. Node only does that for the
 * response that holds the socket; pipelined responses would never release their resources.
 */
export function followPipelines(server: Server): Pipeline {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) {
        // Node notifies the response that holds the socket, and finished responses.
        if (response.socket !== null || response.writableFinished || isOver(response)) continue;
        response.destroy();
        response.emit('close');
      }
    });
  });
  return {
    enter(request, response) {
      const responses = unanswered.get(request.socket);
      if (!responses) throw new Error('The request has no known connection.');
      responses.add(response);
      whenOver(response, () => responses.delete(response));
      return responses.size <= maxUnanswered;
    },
  };
}

/** Closes connections without losing a request. */
interface Closing {
  /** @returns false if the connection closes before this response: its request must not run */
  enter(response: ServerResponse): boolean;
  begin(): void;
  /** Calls `listener` once no complete response waits for its client to read it. */
  whenRead(listener: () => void): void;
}

/**
 * Once begun, the last response of each connection carries `Connection: close`. Closing a
 * connection that a client keeps open would lose a request on its way; Node keeps connections whose
 * response is sent after `server.close()`.
 */
export function closeWithResponses(): Closing {
  const open = new Set<ServerResponse>();
  /**
   * Of each connection. Node closes it after the first response with that header, even if others
   * are pending.
   */
  const newest = new WeakMap<Socket, ServerResponse>();
  const closers = new WeakSet<ServerResponse>();
  let hasBegun = false;

  const close = (response: ServerResponse): void => {
    if (response.headersSent || !response.shouldKeepAlive) return;
    response.shouldKeepAlive = false;
    closers.add(response);
  };
  return {
    enter(response) {
      const { socket } = response.req;
      if (hasBegun) {
        const before = newest.get(socket);
        if (before && closers.has(before)) {
          if (before.headersSent) return false;
          before.shouldKeepAlive = true;
        }
        close(response);
      }
      newest.set(socket, response);
      open.add(response);
      whenOver(response, () => open.delete(response));
      return true;
    },
    begin() {
      hasBegun = true;
      for (const response of open) {
        if (newest.get(response.req.socket) === response) close(response);
      }
    },
    whenRead(listener) {
      for (const response of open) {
        if (!response.writableEnded || response.writableFinished) continue;
        whenOver(response, () => this.whenRead(listener));
        return;
      }
      listener();
    },
  };
}
