import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenOver } from './presence.ts';

/** Ends connections in a way that loses no request. */
interface Closing {
  /** @returns false if the connection closes before this response: its request must not run */
  enter(response: ServerResponse): boolean;
  begin(): void;
  /** Calls `listener` once no complete response waits for its client to read it. */
  whenRead(listener: () => void): void;
}

/**
 * Once begun, the last response of each connection carries `Connection: close`. Closing a connection that
 * a client keeps would lose the request that may be on its way; Node keeps those whose response is sent
 * after `server.close()`.
 */
export function closeWithResponses(): Closing {
  const open = new Set<ServerResponse>();
  /** Of each connection. Node closes it with the first that says so, whatever waits behind. */
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
