import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '@scriptorium/contracts/problems';

/** Whether a response was sent or aborted. `close` was already emitted. */
function isClosed(response: ServerResponse): boolean {
  return response.destroyed || response.closed;
}

const closeListeners = Symbol('waiting');

/** A response with its close listeners, which share one Node listener. */
type ListenedResponse = ServerResponse & { [closeListeners]?: (() => void)[] };

/**
 * Calls `listener` once the response is closed, immediately if it already is. A plain `close`
 * listener that is added after an `await` may never be called.
 */
export function onceClosed(response: ListenedResponse, listener: () => void): void {
  if (isClosed(response)) {
    listener();
    return;
  }
  const existing = response[closeListeners];
  if (existing) {
    existing.push(listener);
    return;
  }
  const listeners = [listener];
  response[closeListeners] = listeners;
  response.once('close', () => {
    for (const each of listeners) each();
  });
}

/** Returns a signal that aborts if the client disconnects before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  onceClosed(response, () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Ends the request if the client has disconnected.
 * @throws Problem, which is never sent
 */
export function requireConnected(response: ServerResponse): void {
  if (isClosed(response)) {
    throw new Problem(
      'malformed_request',
      'The client disconnected before the response was ready.',
    );
  }
}

/** The maximum number of pipelined requests per connection. Most clients send one at a time. */
const maxPipelined = 32;

/** The unanswered requests of each connection. */
export interface Pipeline {
  /** Adds a request. Returns false if its connection has too many pending requests. */
  add(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Makes every response emit `close` when its connection closes. Node does so only for the response
 * that is being sent, so other pipelined responses would never release their resources.
 */
export function trackPipelines(server: Server): Pipeline {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) {
        // Node emits `close` on the response with the socket, and on finished ones.
        if (response.socket !== null || response.writableFinished || isClosed(response)) continue;
        response.destroy();
        response.emit('close');
      }
    });
  });
  return {
    add(request, response) {
      const responses = unanswered.get(request.socket);
      if (!responses) throw new Error('The request has no known connection.');
      responses.add(response);
      onceClosed(response, () => responses.delete(response));
      return responses.size <= maxPipelined;
    },
  };
}

/** Closes connections without losing requests. */
interface ConnectionCloser {
  /** @returns false if the connection closes before this response: its request must not run */
  add(response: ServerResponse): boolean;
  begin(): void;
  /** Calls `listener` once clients have read all complete responses. */
  whenRead(listener: () => void): void;
}

/**
 * After `begin`, the last response of each connection has `Connection: close`. Closing a keep-alive
 * connection immediately could lose a request in transit. Node does not close connections whose
 * response is sent after `server.close()`.
 */
export function createConnectionCloser(): ConnectionCloser {
  const openResponses = new Set<ServerResponse>();
  /**
   * The last response of each connection. Node closes the connection after the first response with
   * that header, even if others are pending.
   */
  const newestResponses = new WeakMap<Socket, ServerResponse>();
  const closingResponses = new WeakSet<ServerResponse>();
  let hasBegun = false;

  const closeAfter = (response: ServerResponse): void => {
    if (response.headersSent || !response.shouldKeepAlive) return;
    response.shouldKeepAlive = false;
    closingResponses.add(response);
  };
  return {
    add(response) {
      const { socket } = response.req;
      if (hasBegun) {
        const previous = newestResponses.get(socket);
        if (previous && closingResponses.has(previous)) {
          if (previous.headersSent) return false;
          previous.shouldKeepAlive = true;
        }
        closeAfter(response);
      }
      newestResponses.set(socket, response);
      openResponses.add(response);
      onceClosed(response, () => openResponses.delete(response));
      return true;
    },
    begin() {
      hasBegun = true;
      for (const response of openResponses) {
        if (newestResponses.get(response.req.socket) === response) closeAfter(response);
      }
    },
    whenRead(listener) {
      for (const response of openResponses) {
        if (!response.writableEnded || response.writableFinished) continue;
        onceClosed(response, () => this.whenRead(listener));
        return;
      }
      listener();
    },
  };
}
