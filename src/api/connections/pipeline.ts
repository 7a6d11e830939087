import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver, whenOver } from './presence.ts';

/** The maximum number of pipelined requests per connection; clients rarely send two. */
const maxUnanswered = 32;

/** The unanswered requests of each connection. */
export interface Pipeline {
  /** Adds a request; false if its connection has too many pending. */
  enter(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Makes every response emit `close` when its connection does. Node only does that for the response
 * that holds the socket; pipelined ones would leak what they hold.
 */
export function followPipelines(server: Server): Pipeline {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) {
        // Node notifies the response that holds the socket, and finished ones.
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
