import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to Postgres on which everything that is sent there can be read. */
export interface PostgresProxy {
  /** The same URL, by this way. */
  url: string;
  /**
   * The messages of each packet that was sent since this was asked last, by their codes: `PBDES`.
   */
  packets(): string[];
  /**
   * Forwards the responses of Postgres in pieces of this many bytes; null forwards them as they
   * come.
   */
  splitResponses(bytes: number | null): void;
  close(): Promise<void>;
}

/** Opens a way to the Postgres of a URL. */
export async function openPostgresProxy(url: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let packets: string[] = [];
  let pieceBytes: number | null = null;
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
    let writing = Promise.resolve();
    far.on('data', (bytes: Buffer) => {
      const size = pieceBytes ?? bytes.length;
      writing = writing.then(async () => {
        for (let at = 0; at < bytes.length; at += size) {
          near.write(bytes.subarray(at, at + size));
          // Each piece is a read of its own at the other end.
          if (pieceBytes !== null) await new Promise((resolve) => setImmediate(resolve));
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
    splitResponses(bytes) {
      pieceBytes = bytes;
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
  let buffered = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    buffered = Buffer.concat([buffered, bytes]);
    let codes = '';
    for (;;) {
      const head = started ? 1 : 0;
      if (buffered.length < head + 4) return codes;
      const length = head + buffered.readInt32BE(head);
      if (buffered.length < length) return codes;
      if (started) codes += String.fromCharCode(buffered[0]!);
      started = true;
      buffered = buffered.subarray(length);
    }
  };
}
