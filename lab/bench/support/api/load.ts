import { connect, type Socket } from 'node:net';

interface LoadResult {
  /** Responses per second. */
  rate: number;
  /** The latencies in milliseconds, unsorted. */
  latencies: number[];
}

/**
 * Sends requests over kept connections for a time, one in flight on each, and counts the responses.
 * Uses bare sockets: on few cores a full HTTP client would slow the server down. Responses must
 * have a Content-Length and the expected status; others throw.
 */
export async function runLoad(options: {
  port: number;
  connections: number;
  seconds: number;
  status: number;
  request: () => string;
}): Promise<LoadResult> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + options.seconds * 1_000;
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const connection = await openConnection(options.port);
      try {
        while (performance.now() < end) {
          const sent = performance.now();
          const { status, text } = await connection.exchange(options.request());
          if (status !== options.status) throw new Error(`Answer ${status}: ${text}`);
          latencies.push(performance.now() - sent);
        }
      } finally {
        connection.socket.destroy();
      }
    }),
  );
  return { rate: (latencies.length / (performance.now() - start)) * 1_000, latencies };
}

/** The text of a request, with a JSON body if one is given. */
export function jsonRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): string {
  const content =
    body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: '127.0.0.1', ...content, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n${body ?? ''}`;
}

interface HttpResponse {
  status: number;
  text: string;
}

interface Connection {
  socket: Socket;
  exchange(request: string): Promise<HttpResponse>;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let received: Buffer = Buffer.alloc(0);
  let pending:
    | { resolve: (answer: HttpResponse) => void; reject: (error: Error) => void }
    | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const headers = received.toString('latin1', 0, head);
    const length = Number(/^content-length: *(\d+)/im.exec(headers)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const text = received.toString('utf8', head + 4, head + 4 + length);
    received = Buffer.alloc(0);
    pending?.resolve({ status: Number(headers.slice(9, 12)), text });
  });
  socket.on('close', () => pending?.reject(new Error('The server closed the connection.')));
  socket.on('error', (error) => pending?.reject(error));
  return {
    socket,
    exchange: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(request);
      }),
  };
}
