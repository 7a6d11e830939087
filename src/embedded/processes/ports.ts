import { createServer } from 'node:net';

/** Whether a program listens on this TCP port of 127.0.0.1 (or we may not bind it). */
export async function isPortTaken(port: number): Promise<boolean> {
  return (await bind(port)) === undefined;
}

/** A TCP port of 127.0.0.1 that was free a moment ago. The caller must handle losing it. */
export async function findFreePort(): Promise<number> {
  const port = await bind(0);
  if (port === undefined) throw new Error('No free TCP port on 127.0.0.1.');
  return port;
}

function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(bound));
    });
  });
}
