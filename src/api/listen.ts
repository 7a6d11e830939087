import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { newId } from '../contracts/ids.ts';
import { limits } from '../contracts/limits.ts';
import { Problem } from '../contracts/problems.ts';
import { fromStatus, problemDocument } from './frame/problem.ts';

/** A body that nobody wants is read and dropped for so long after the answer. */
const lateBodyMs = 5_000;

interface RunningServer {
  server: Server;
  port: number;
  /**
   * Takes no new connections, lets requests in hand finish for up to `graceMs`, then breaks off what
   * is left.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Puts an application on a port (0: a free one). */
export async function listen(app: Koa, host: string, port: number): Promise<RunningServer> {
  const server = createServer({
    // The application answers a missing Host itself, as a problem.
    requireHostHeader: false,
    headersTimeout: 15_000,
    // What an upload may take. Whoever reads a body has a deadline of its own for silence.
    requestTimeout: limits.resumable_upload_hours * 3_600_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  });
  const answer = app.callback();
  server.on('request', answer);
  server.on('request', cutOffLateBodies);
  // `100 Continue` waits until somebody wants the body: what can be refused is refused before it.
  server.on('checkContinue', answer);
  server.on('checkExpectation', (_request, response) => {
    refuse(response.socket, new Problem('expectation_failed', 'Expect may be 100-continue only.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const statuses: Record<string, number> = {
      HPE_HEADER_OVERFLOW: 431,
      HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
      ERR_HTTP_REQUEST_TIMEOUT: 408,
    };
    refuse(socket as Socket, fromStatus(statuses[error.code ?? ''] ?? 400));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    stop: (graceMs = 10_000) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Who still sends when the answer is out, and has been for a while, is cut off. */
function cutOffLateBodies(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    const late = setTimeout(() => request.socket.destroy(), lateBodyMs);
    request.once('end', () => clearTimeout(late));
    request.once('close', () => clearTimeout(late));
  });
}

/** Writes a problem where Node has no response object, and ends the connection. */
function refuse(socket: Socket | null, problem: Problem): void {
  if (!socket) return;
  const requestId = newId('request');
  const body = JSON.stringify(problemDocument(problem, requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Error'}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
