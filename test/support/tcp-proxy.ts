import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy to a service that can be cut, as if the service had been killed. */
export interface TcpProxy {
  /** The same URL, through the proxy. */
  through(url: string): string;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  /** Leads new connections to another host and port from now on. */
  redirectTo(url: string): void;
  /** Holds back all that is sent from now on, in either direction, for so long; 0 ends it. */
  slow(milliseconds: number): void;
  /** Drops what the service answers from now on, until it is cut. */
  dropResponses(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the URL's host and port. */
export async function openTcpProxy(url: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isOpen = true;
  let lagMs = 0;
  let dropsResponses = false;
  const delayStream = (isResponse: boolean): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (dropsResponses && isResponse) done();
        else if (lagMs === 0) done(null, chunk);
        else setTimeout(done, lagMs, null, chunk);
      },
    });
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (!isOpen) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(port), hostname);
    far.on('error', () => undefined);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pipe(delayStream(from === far)).pipe(to);
      from.once('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const resetConnections = (): void => {
    for (const [near, far] of pairs) {
      reset(near);
      far.destroy();
    }
  };
  return {
    through(other) {
      const changed = new URL(other);
      changed.port = String(address.port);
      return changed.href;
    },
    dropResponses() {
      dropsResponses = true;
    },
    cut() {
      isOpen = false;
      dropsResponses = false;
      resetConnections();
    },
    restore() {
      isOpen = true;
    },
    redirectTo(other) {
      ({ hostname, port } = new URL(other));
    },
    slow(milliseconds) {
      lagMs = milliseconds;
    },
    async close() {
      resetConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A connection that is being closed already cannot be reset, and would keep its handle. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
