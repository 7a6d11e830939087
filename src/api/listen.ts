import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type Koa from 'koa';
import { limitConnections } from './connections/limit-connections.ts';
import { type ClientLimits, clientLimits } from './connections/limits.ts';
import { createConnectionCloser, trackPipelines } from './connections/responses.ts';
import { disconnectStalledClients } from './connections/stalled.ts';
import { problemDocument, problemFromStatus } from './frame/responses/problem.ts';
import { incompleteRequest } from './requests/body.ts';

/** How long a connection stays open after its last response if the client keeps sending. */
const lingerTimeoutMs = 5_000;

interface RunningServer {
  server: Server;
  port: number;
  /** Starts closing each connection after its next response. */
  drain(): void;
  /**
   * Drains, stops accepting connections, waits up to `graceMs` for current requests, then aborts
   * those that remain.
   */
  stop(graceMs?: number): Promise<void>;
}

/** Binds an application to a port (0: any free port). */
export async function listen(
  app: Koa,
  host: string,
  port: number,
  connectionLimits: ClientLimits = clientLimits,
): Promise<RunningServer> {
  const server = createServer({
    // The application reports a missing Host header as a problem.
    requireHostHeader: false,
    headersTimeout: connectionLimits.headersMs,
    connectionsCheckingInterval: Math.min(connectionLimits.headersMs, 5_000),
    // The maximum duration of an upload. Code that reads bodies has shorter idle timeouts.
    requestTimeout: limits.resumable_upload_hours * 3_600_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  });
  server.maxConnections = connectionLimits.connections;
  limitConnections(server, connectionLimits.connectionsPerAddress, (socket) => {
    rejectSocket(socket, rateLimited('Too many connections from this address.'));
    socket.destroySoon();
  });
  disconnectStalledClients(server, connectionLimits.writeIdleMs);
  const pipeline = trackPipelines(server);
  const handleWithApp = app.callback();
  const closer = createConnectionCloser();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (!closer.add(response)) return;
    if (pipeline.add(request, response)) void handleWithApp(request, response);
    else rejectRequest(response, rateLimited('Too many pipelined requests on this connection.'));
  };
  server.on('request', handle);
  server.on('request', cutOffLateBodies);
  // `100 Continue` is sent when the body is read, so requests can be rejected first.
  server.on('checkContinue', handle);
  server.on('checkExpectation', (_request, response) => {
    rejectSocket(
      response.socket,
      new Problem('expectation_failed', 'Expect must be 100-continue.'),
    );
  });
  server.on('connect', (_request, socket) => {
    rejectSocket(socket, new Problem('method_not_allowed', 'CONNECT is not supported.'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (error.code === 'HPE_INVALID_EOF_STATE') {
      rejectSocket(socket, incompleteRequest('body'));
      return;
    }
    const statuses: Record<string, number> = {
      HPE_HEADER_OVERFLOW: 431,
      HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
      ERR_HTTP_REQUEST_TIMEOUT: 408,
    };
    rejectSocket(socket, problemFromStatus(statuses[error.code ?? ''] ?? 400));
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
    drain: closer.begin,
    stop: (graceMs = 10_000) =>
      new Promise((resolve) => {
        closer.begin();
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        // Stops accepting connections. The HTTP server's `close` also closes connections that Node
        // considers idle, including those whose client is still reading a response.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(timer);
          resolve();
        });
        closer.whenRead(() => server.close());
      }),
  };
}

/** Disconnects clients that are still sending a body some time after the response. */
function cutOffLateBodies(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return;
    // A reader may have paused the request.
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), lingerTimeoutMs);
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
  });
}

function rateLimited(detail: string): Problem {
  return new Problem('rate_limited', detail, { headers: { 'Retry-After': '1' } });
}

/** Rejects a request before the application, and closes the connection. */
function rejectRequest(response: ServerResponse, problem: Problem): void {
  const { body, headers } = rejectionResponse(problem);
  response.writeHead(problem.status, headers).end(body);
}

/** Writes a problem where Node provides no response object, and closes the connection. */
function rejectSocket(socket: Duplex | null, problem: Problem): void {
  if (!socket) return;
  const { body, headers } = rejectionResponse(problem);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? 'Error'}`;
  socket.end([status, ...lines, '', body].join('\r\n'));
  // The client may never close its side.
  const timer = setTimeout(() => socket.destroy(), lingerTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
}

function rejectionResponse(problem: Problem): { body: string; headers: Record<string, string> } {
  const requestId = newId('request');
  const body = JSON.stringify(problemDocument(problem, requestId));
  return {
    body,
    headers: {
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...problem.headers,
      Connection: 'close',
    },
  };
}
