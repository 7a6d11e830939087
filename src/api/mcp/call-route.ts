import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import type Koa from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { assignCredentials } from '../requests/assigned-credentials.ts';

/** A request to a route of the API. */
export interface RouteRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON, unless the headers have another type. */
  body?: string | Buffer;
}

export interface RouteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends a request to a route with the credentials and address of the caller. */
export type CallRoute = (request: RouteRequest) => Promise<RouteResponse>;

/** What replaces the headers of the caller. */
export interface GivenCaller {
  /** Credentials that were verified already. */
  credentials?: Credentials;
  /** The project in the path of the request. */
  projectId?: string | undefined;
}

/** The headers that identify the caller to a route. */
const callerHeaders = [
  'host',
  'authorization',
  'x-service-project-id',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'traceparent',
  'tracestate',
];

/** Larger responses are not read. */
const maxResponseBytes = 4 * 1024 * 1024;

/**
 * Calls routes through the whole application, as a request from outside: the same checks of
 * credentials, scopes, rates and policies apply, and the same log lines and events are written. The
 * connection is a pair of streams in this process.
 */
export function createRouteCaller(
  app: Koa,
): (caller: IncomingMessage, id: string, given?: GivenCaller) => CallRoute {
  const handle = app.callback();
  // It never listens: connections are handed to it.
  const server = createServer({ requireHostHeader: false }, (req, res) => void handle(req, res));
  return (caller, requestId, { credentials, projectId } = {}) =>
    async (sent) => {
      const [near, far] = duplexPair();
      if (credentials) assignCredentials(far, credentials);
      Object.defineProperty(far, 'remoteAddress', { value: caller.socket.remoteAddress });
      server.emit('connection', far);
      const headers: Record<string, string | string[]> = {
        'x-request-id': requestId,
        connection: 'close',
      };
      for (const [at, name] of caller.rawHeaders.entries()) {
        const header = name.toLowerCase();
        if (at % 2 !== 0 || !callerHeaders.includes(header)) continue;
        if (projectId && header === 'x-service-project-id') continue;
        // Repeated headers stay repeated: the routes reject them.
        const earlier = headers[header] ?? [];
        headers[header] = [
          ...(Array.isArray(earlier) ? earlier : [earlier]),
          caller.rawHeaders[at + 1]!,
        ];
      }
      if (projectId) headers['x-service-project-id'] = projectId;
      try {
        return await send(near as Socket, { ...sent, headers: { ...headers, ...sent.headers } });
      } finally {
        near.destroy();
        far.destroy();
      }
    };
}

function send(
  socket: Socket,
  {
    method,
    url,
    headers,
    body,
  }: Omit<RouteRequest, 'headers'> & { headers: Record<string, string | string[]> },
): Promise<RouteResponse> {
  return new Promise((resolve, reject) => {
    const content =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request({
      method,
      path: url,
      headers: { ...content, ...headers },
      createConnection: () => socket,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxResponseBytes) response.destroy(new Error('The response is too large.'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 500,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.end(body);
  });
}
