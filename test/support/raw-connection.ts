import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which bytes are sent as they are, and what came back on it so far. */
export interface RawConnection {
  socket: Socket;
  send(text: string | Buffer): void;
  received(): string;
  /** Resolves with all that was received once the server has closed the connection. */
  closed: Promise<string>;
}

/** Opens a connection to an API, for what no HTTP client would send. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  // The server may break off while something is sent.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await once(socket, 'connect');
  return { socket, send: (data) => socket.write(data), received: () => text, closed };
}

/** The head of a request, as text. */
export function requestHead(
  line: string,
  headers: Record<string, string | number>,
  tenant?: { key: string; projectId: string },
): string {
  const login = tenant && {
    Authorization: `Bearer ${tenant.key}`,
    'X-Service-Project-ID': tenant.projectId,
  };
  const allHeaders = Object.entries({ Host: 'x', ...login, ...headers });
  return `${line} HTTP/1.1\r\n${allHeaders.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
