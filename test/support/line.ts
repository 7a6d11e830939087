import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy to a service that can be cut, as if the service had been killed. */
export interface Line {
  /** The same URL, through the proxy. */
  through(url: string): string;
  /** Resets every connection and refuses new ones. */
  cut(): void;
  /** Accepts connections again. */
  restore(): void;
  /** Leads new connections to another host and port from now on. */
  lead(url: string): void;
  /** Holds back all that is sent from now on, in either direction, for so long; 0 ends it. */
  slow(milliseconds: number): void;
  /** Drops what the service answers from now on, until it is cut. */
  mute(): void;
  close(): Promise<void>;
}

/** Opens a proxy to the URL's host and port. */
export async function openLine(url: string): Promise<Line> {
  let { hostname, port } = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  let whole = true;
  let lagMs = 0;
  let muted = false;
  const lag = (isAnswer: boolean): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (muted && isAnswer) done();
        else if (lagMs === 0) done(null, chunk);
        else setTimeout(done, lagMs, null, chunk);
      },
    });
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
      from.pipe(lag(from === far)).pipe(to);
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
    mute() {
      muted = true;
    },
    cut() {
      whole = false;
      muted = false;
      breakOff();
    },
    restore() {
      whole = true;
    },
    lead(other) {
      ({ hostname, port } = new URL(other));
    },
    slow(milliseconds) {
      lagMs = milliseconds;
    },
    async close() {
      breakOff();
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
