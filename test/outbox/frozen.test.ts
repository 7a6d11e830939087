import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { isUnreachable } from '../../src/db/errors.ts';
import { inTransaction, prepared, type Tx } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { handOverEndpoints } from '../../src/outbox/relay/hand-over.ts';
import { connectFailFast } from '../../src/queues/connection.ts';
import { closeQueues, openQueues } from '../../src/queues/hints.ts';
import { claimDeliveries } from '../../src/webhooks/delivery/sending/claim.ts';
import { settleDeliveries } from '../../src/webhooks/delivery/settling/settle.ts';
import { endpointQueue } from '../../src/webhooks/relay/hand-over.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { fanOutRound, numberRound } from '../support/relay-rounds.ts';
import { startPrivateRedis } from '../support/services.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';

/** Well below the 60 seconds after which Postgres ends any idle transaction. */
const limitMs = 30_000;

describe('a process that freezes within a transaction', () => {
  let databaseFixture: DatabaseFixture;
  let fixture: WebhookFixture;
  /** One connection, so that the process has to continue on the place of the lost one. */
  let relay: Database;
  let worker: Database;
  before(async () => {
    databaseFixture = await openDatabaseFixture();
    [relay, worker] = await Promise.all([
      openDatabase(databaseFixture.urls.relayUrl, { poolSize: 1 }),
      openDatabase(databaseFixture.urls.workerUrl, { poolSize: 1 }),
    ]);
  });
  after(async () => {
    await Promise.all([relay.destroy(), worker.destroy()]);
    await databaseFixture.close();
  });
  beforeEach(async () => {
    fixture = await openWebhookFixture(databaseFixture);
  });

  const url = 'http://127.0.0.1:1/hook';

  /** Freezes once the statements of `work` are answered. */
  const freeze = async <T>(database: Database, work: (tx: Tx) => Promise<T>) => {
    let thaw = (): void => undefined;
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    let outcome: Promise<unknown> | undefined;
    const found = await new Promise<T>((resolve, reject) => {
      outcome = inTransaction(database, async (tx) => {
        resolve(await work(tx));
        await thawed;
      }).then(
        () => 'committed',
        (error: unknown) => {
          reject(error);
          return error;
        },
      );
    });
    return {
      found,
      async thaw(): Promise<unknown> {
        thaw();
        return outcome;
      },
    };
  };

  it('lets another relay number events, and numbers again once it thaws', async () => {
    await fixture.recordTrashed();
    const frozen = await freeze(relay, numberRound);
    expect(frozen.found.events).to.equal(1);
    const other = () => inTransaction(databaseFixture.relay, numberRound);
    expect((await other()).elsewhere).to.equal(true);
    await eventually(async () => (await other()).events === 1, limitMs);
    expect(await frozen.thaw()).to.satisfy(isUnreachable);
    await fixture.recordTrashed();
    expect((await inTransaction(relay, numberRound)).events).to.equal(1);
    const numbers = await fixture.rows<{ sequence: number }>(
      'SELECT sequence FROM event WHERE project_id = $1 ORDER BY sequence',
      [fixture.projectId],
    );
    expect(numbers.map(({ sequence }) => sequence)).to.deep.equal([1, 2]);
  });

  it('lets another relay fan events out', async () => {
    const { id } = await fixture.addEndpoint({ url });
    await fixture.rows(
      `UPDATE webhook_endpoint SET filter = '{"/resource_id": ["a"]}' WHERE id = $1`,
      [id],
    );
    await fixture.recordTrashed('a');
    await inTransaction(databaseFixture.relay, numberRound);
    const frozen = await freeze(relay, fanOutRound);
    expect(frozen.found.events).to.be.greaterThan(0);
    const other = () => inTransaction(databaseFixture.relay, fanOutRound);
    expect((await other()).events).to.equal(0);
    await eventually(async () => (await other()).events === frozen.found.events, limitMs);
    expect(await frozen.thaw()).to.satisfy(isUnreachable);
  });

  it('holds no endpoint while it hands them over', async () => {
    const server = await startPrivateRedis();
    const redis = connectFailFast(server.url, createLogger('silent', 'test'));
    const queues = openQueues(redis);
    try {
      const { id } = await fixture.addEndpoint({ url });
      await fixture.recordTrashed();
      await fixture.relay();
      await fixture.rows(`INSERT INTO worker (id, queue, slots) VALUES ('w', 'webhooks', 1)`);
      const handed = await handOverEndpoints(relay, queues, {
        ...endpointQueue,
        async claim(tx, limit) {
          const claimed = await endpointQueue.claim(tx, limit);
          await inTransaction(databaseFixture.worker, async (other) => {
            await prepared(other, `SELECT set_config('lock_timeout', '10s', true)`, []);
            await prepared(
              other,
              'SELECT FROM webhook_flow WHERE endpoint_id = $1 FOR NO KEY UPDATE',
              [id],
            );
          });
          return claimed;
        },
      });
      expect(handed).to.be.greaterThan(0);
    } finally {
      await closeQueues(queues);
      redis.disconnect();
      await server.remove();
    }
  });

  it('lets others claim at an endpoint whose attempts it was settling', async () => {
    const { id } = await fixture.addEndpoint({ url });
    await fixture.recordTrashed();
    await fixture.recordTrashed();
    await fixture.relay();
    const claim = () => inTransaction(databaseFixture.worker, (tx) => claimDeliveries(tx, [id], 1));
    const [delivery] = await claim();
    const timings = { dns: null, connect: null, tls: null, first_byte: 1, total: 1 };
    const result = { outcome: 'answered', status: 500, excerpt: '', timings } as const;
    const frozen = await freeze(worker, (tx) =>
      settleDeliveries(tx, [{ delivery: delivery!, result }], [0, 0]),
    );
    const claimed = await eventually(claim, limitMs);
    expect(claimed).to.have.length(1);
    expect(await frozen.thaw()).to.satisfy(isUnreachable);
  });
});
