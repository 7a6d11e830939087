import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range of ports for outgoing connections, which may take any of those at any time. */
const [minPort, maxPort] = [10_000, 32_000];

/** Whether a program listens on this TCP port of 127.0.0.1 (or this process may not bind it). */
export async function isPortTaken(port: number): Promise<boolean> {
  return (await bind(port)) === undefined;
}

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and that outgoing connections do not take,
 * even while a server on it restarts. The caller must handle losing it to another server.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = await bind(randomInt(minPort, maxPort));
    if (port !== undefined) return port;
  }
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
