import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOver, whenOver } from './presence.ts';

/** How many requests of one connection may wait for their answers; clients rarely send two. */
const mostUnanswered = 32;

/** Follows the requests of each connection that have no answer yet. */
export interface Pipeline {
  /** Takes a request in; false when its connection has too many that wait. */
  enter(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Makes every response of a server emit `close` when its connection does. Node tells only the one
 * that holds the socket: those of pipelined requests, which wait for their turn, never hear of it,
 * and whatever they hold open would stay open.
 */
export function followPipelines(server: Server): Pipeline {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) {
        // The one that holds the socket is told by Node, and one that is finished is about to be.
        if (response.socket !== null || response.writableFinished || isOver(response)) continue;
        response.destroy();
        response.emit('close');
      }
    });
  });
  return {
    enter(request, response) {
      const responses = unanswered.get(request.socket);
      if (!responses) throw new Error('A request came without a connection.');
      responses.add(response);
      whenOver(response, () => responses.delete(response));
      return responses.size <= mostUnanswered;
    },
  };
}
