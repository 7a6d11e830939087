import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to Postgres on which everything that is sent there can be read. */
export interface Wire {
  /** The same URL, by this way. */
  url: string;
  /** The messages of each packet that was sent since this was asked last, by their codes: `PBDES`. */
  packets(): string[];
  /** Hands on what Postgres answers in pieces of so many bytes; null for as it comes. */
  crumble(bytes: number | null): void;
  close(): Promise<void>;
}

/** Opens a way to the Postgres of a URL. */
export async function openWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let packets: string[] = [];
  let piece: number | null = null;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.setNoDelay(true);
    const messages = messageReader();
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes: Buffer) => {
      const codes = messages(bytes);
      if (codes !== '') packets.push(codes);
      far.write(bytes);
    });
    let handed = Promise.resolve();
    far.on('data', (bytes: Buffer) => {
      const size = piece ?? bytes.length;
      handed = handed.then(async () => {
        for (let at = 0; at < bytes.length; at += size) {
          near.write(bytes.subarray(at, at + size));
          // Each piece is a read of its own at the other end.
          if (piece !== null) await new Promise((resolve) => setImmediate(resolve));
        }
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
  const changed = new URL(url);
  changed.port = String(address.port);
  return {
    url: changed.href,
    packets() {
      const sent = packets;
      packets = [];
      return sent;
    },
    crumble(bytes) {
      piece = bytes;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads the codes of frontend messages out of what arrives; the first message has none. */
function messageReader(): (bytes: Buffer) => string {
  let rest = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let codes = '';
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return codes;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return codes;
      if (started) codes += String.fromCharCode(rest[0]!);
      started = true;
      rest = rest.subarray(length);
    }
  };
}
