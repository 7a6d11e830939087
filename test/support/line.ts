import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a service of ours that can be cut, as when the service is killed. */
export interface Line {
  /** The same URL, by this way. */
  through(url: string): string;
  /** Breaks off every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a line to where the URL leads. */
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
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
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
    mend() {
      whole = true;
    },
    async close() {
      breakOff();
      server.close();
      await once(server, 'close');
    },
  };
}
