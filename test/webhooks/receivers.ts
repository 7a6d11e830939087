/** Receivers on 127.0.0.1, well-behaved and hostile, for the tests of webhook requests. */
import { createServer as createHttp, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';

export interface Receiver {
  port: number;
  /** TCP connections accepted so far. */
  connections(): number;
  /** Resolves when every connection accepted so far has been closed. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Listens and counts connections; `close` destroys those that are left. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Receiver> {
  const open = new Set<Socket>();
  const closings: Promise<void>[] = [];
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {});
    closings.push(
      new Promise((resolve) =>
        socket.once('close', () => {
          open.delete(socket);
          resolve();
        }),
      ),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    connections: () => closings.length,
    allClosed: async () => {
      await Promise.all(closings);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

export function http(handler: RequestListener): Promise<Receiver> {
  return listen(createHttp({ keepAliveTimeout: 30_000 }, handler));
}

/** A receiver that sends raw bytes. */
export function tcp(onSocket: (socket: Socket) => void): Promise<Receiver> {
  return listen(createTcp(onSocket));
}

/** A promise and the function that resolves it. */
export function signalled<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
