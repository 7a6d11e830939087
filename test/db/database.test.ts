import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { hasRelaySettings } from '../../src/db/preparing/start-up.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** What a server sends that accepts a connection and closes it, in one packet. */
function welcomeAndFarewell(): Buffer {
  const message = (type: string, body: string): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(4 + Buffer.byteLength(body), 1);
    return Buffer.concat([head, Buffer.from(body)]);
  };
  return Buffer.concat([
    message('R', '\0\0\0\0'),
    message('Z', 'I'),
    message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
  ]);
}

describe('the connection pool', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  it('plans by index for a relay, whose role has the settings of this release', async () => {
    const [relay, worker] = await Promise.all([
      openDatabase(database.relayUrl),
      openDatabase(database.workerUrl),
    ]);
    try {
      expect(await hasRelaySettings(relay)).to.equal(true);
      expect(await hasRelaySettings(worker)).to.equal(false);
    } finally {
      await Promise.all([relay.destroy(), worker.destroy()]);
    }
  });

  it('survives a connection that is cut as soon as it is established', async () => {
    const real = new URL(database.apiUrl);
    let connections = 0;
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => {
      sockets.add(socket);
      connections += 1;
      if (connections === 1) {
        const through = connect(Number(real.port), real.hostname);
        sockets.add(through);
        socket.pipe(through).pipe(socket);
        return;
      }
      socket.once('data', () => socket.end(welcomeAndFarewell()));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const url = new URL(real);
    url.port = String(address.port);
    const pool = await openDatabase(url.href, { poolSize: 2 });
    try {
      await inTransaction(pool, async (tx) => {
        await query(tx, 'SELECT 1 AS one', []);
        // The first connection is in use, so this takes a second one.
        const failed = await inTransaction(pool, (other) =>
          query(other, 'SELECT 1 AS one', []),
        ).then(
          () => null,
          (error: unknown) => error,
        );
        expect(failed).to.be.an('error');
        expect(connections).to.equal(2);
      });
      const rows = await inTransaction(pool, (tx) => query(tx, 'SELECT 1 AS one', []));
      expect(rows).to.deep.equal([{ one: 1 }]);
    } finally {
      await pool.destroy();
      for (const socket of sockets) socket.destroy();
      proxy.close();
    }
  });
});
