import type { ServerResponse } from 'node:http';
import { whenOver } from './presence.ts';

/** Ends connections in a way that loses no request. */
interface Closing {
  enter(response: ServerResponse): void;
  begin(): void;
}

/**
 * Once begun, responses carry `Connection: close`. Closing a connection that a client keeps would
 * lose the request that may be on its way; Node keeps those whose response is sent after
 * `server.close()`.
 */
export function closeWithResponses(): Closing {
  const open = new Set<ServerResponse>();
  let hasBegun = false;
  return {
    enter(response) {
      if (hasBegun) response.shouldKeepAlive = false;
      open.add(response);
      whenOver(response, () => open.delete(response));
    },
    begin() {
      hasBegun = true;
      for (const response of open) {
        if (!response.headersSent) response.shouldKeepAlive = false;
      }
    },
  };
}
