import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to a service that can be cut, as if the service had been killed. */
export interface Line {
  /** The same URL, through the proxy. */
  through(url: string): string;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the URL's host and port. */
export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let whole = true;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (!whole) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    far.on('error', () => undefined);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pipe(to);
      from.once('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const breakOff = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    through(other) {
      const changed = new URL(other);
      changed.port = String(address.port);
      return changed.href;
    },
    cut() {
      whole = false;
      breakOff();
    },
    restore() {
      whole = true;
    },
    async close() {
      breakOff();
      server.close();
      await once(server, 'close');
    },
  };
}
