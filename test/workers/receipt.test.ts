import { expect } from 'chai';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { createPick } from '../support/random.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { openWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

const type = 'dam.object.trashed';

describe('delivery from commit to receipt', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let fixture: WebhookFixture;
  let processes: TestWorkers[];
  let receivers: Receiver[];
  beforeEach(async () => {
    [database, server] = await Promise.all([openDatabaseFixture(), startPrivateRedis()]);
    fixture = await openWebhookFixture(database);
    processes = [];
    receivers = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.stop(1_000)));
    await Promise.all(receivers.map((one) => one.close()));
    await Promise.all([database.close(), server.remove()]);
  });

  const prepare = async (): Promise<TestWorkers> => {
    const workers = await prepareWorkers(database, server.url);
    processes.push(workers);
    return workers;
  };
  const start = async (...queues: ('relay' | 'webhooks')[]): Promise<TestWorkers> => {
    const workers = await prepare();
    workers.start(...queues);
    return workers;
  };
  const receiver = async (
    settings: string,
    answer: Parameters<Receiver['respondWith']>[0] = 204,
  ): Promise<Receiver & { id: string }> => {
    const one = await startReceiver();
    receivers.push(one);
    one.respondWith(answer);
    const { id } = await fixture.addEndpoint({ url: one.url, secret: one.secret, types: [type] });
    await fixture.rows(`UPDATE webhook_endpoint SET ${settings} WHERE id = $1`, [id]);
    return Object.assign(one, { id });
  };
  const commit = async (count: number): Promise<string[]> =>
    inProject(database.api, fixture.projectId, (tx) =>
      record(
        tx,
        originOf(fixture.projectId),
        ...Array.from({ length: count }, (_, at) => ({
          type: type as 'dam.object.trashed',
          resourceId: `obj_${at}`,
          data: {},
        })),
      ),
    );
  /** Every event has its deliveries, and all of them are done. */
  const nothingDue = () =>
    eventually(async () => {
      const left = await fixture.rows(
        `SELECT FROM event WHERE fanned_out_at IS NULL UNION ALL SELECT FROM due_delivery`,
      );
      return left.length === 0;
    });
  const sequenceOf = ({ body }: { body: Buffer }): number =>
    JSON.parse(body.toString('utf8')).sequence as number;

  it('needs no Redis and no hints if relay and sender share a process', async () => {
    const one = await receiver('version = version');
    const workers = await start('relay', 'webhooks');
    await commit(1);
    await one.untilReceived(1);
    await server.kill();
    const ids = await commit(3);
    workers.deps.wake();
    await one.untilReceived(4);
    expect(ids.map((id) => one.requestsOf(id).length)).to.deep.equal([1, 1, 1]);
    await nothingDue();
    const hints = await fixture.rows('SELECT FROM webhook_flow WHERE handed_at IS NOT NULL');
    expect(hints).to.deep.equal([]);
  });

  it('continues as soon as the window has room', async () => {
    const one = await receiver('max_in_flight = 2');
    const workers = await start('relay', 'webhooks');
    await commit(1);
    await one.untilReceived(1);
    await server.kill();
    await commit(30);
    workers.deps.wake();
    await one.untilReceived(31);
    await nothingDue();
  });

  it('starts on a wake-up from another process', async () => {
    const one = await receiver('version = version');
    await start('relay', 'webhooks');
    const other = await prepare();
    await eventually(async () => other.deps.redis.status === 'ready');
    await commit(1);
    other.deps.wake();
    await one.untilReceived(1);
  });

  it('uses senders in other processes if the relay’s process has no sender', async () => {
    const one = await receiver('version = version');
    await start('relay');
    await start('webhooks');
    for (let at = 1; at <= 5; at++) {
      await commit(2);
      processes[1]!.deps.wake();
      await one.untilReceived(2 * at);
    }
    await nothingDue();
  });

  it('serves an endpoint whose flow was locked during numbering', async () => {
    const one = await receiver('version = version');
    const relay = await start('relay');
    await start('webhooks');
    await inTransaction(database.worker, async (tx) => {
      await query(tx, 'SELECT FROM webhook_flow WHERE endpoint_id = $1 FOR NO KEY UPDATE', [
        one.id,
      ]);
      const [id] = await commit(1);
      relay.deps.wake();
      await eventually(
        async () =>
          (await fixture.rows('SELECT FROM event WHERE id = $1 AND sequence > 0', [id])).length > 0,
      );
    });
    await one.untilReceived(1);
    await nothingDue();
  });

  it('reaches every endpoint, in order for one at a time, with two relays', async () => {
    const pick = createPick(7);
    const failed = new Set<string>();
    const inOrder = await receiver('max_in_flight = 1');
    const all = [
      inOrder,
      await receiver('version = version'),
      await receiver('max_per_second = 100'),
      // Fails an event at most once: one that fails at every step is exhausted.
      await receiver('version = version', ({ headers }) => {
        const id = headers['webhook-id']!;
        if (failed.has(id) || pick(10) > 0) return 204;
        failed.add(id);
        return 500;
      }),
    ];
    const paused = await receiver(`state = 'paused'`);
    await start('relay', 'webhooks');
    await start('relay');
    await start('webhooks');
    const committed: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        const writing = createPick(writer + 1);
        // Less than 1,000 deliveries in all: of more in a batch, some are left and overtaken.
        for (let at = 0; at < 18; at++) {
          committed.push(...(await commit(1 + writing(4))));
          // Some wake a process with a relay, some one without, and some none.
          processes[writing(4)]?.deps.wake();
        }
      }),
    );
    await fixture.rows(`UPDATE webhook_endpoint SET state = 'enabled' WHERE id = $1`, [paused.id]);
    await nothingDue();
    for (const one of [...all, paused]) {
      const missing = committed.filter((id) => one.requestsOf(id).length === 0);
      expect(missing, one.url).to.deep.equal([]);
      expect(new Set(one.requests.map(sequenceOf)).size).to.equal(committed.length);
      expect(one.requests.every(({ verified }) => verified)).to.equal(true);
    }
    const order = inOrder.requests.map(sequenceOf);
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    expect(order).to.have.length(committed.length);
    const sequences = await inTransaction(database.worker, (tx) =>
      query<{ gaps: number }>(
        tx,
        `SELECT count(*) - max(sequence) AS gaps FROM event
         WHERE project_id = $1 AND category = 'domain'`,
        [fixture.projectId],
      ),
    );
    expect(sequences).to.deep.equal([{ gaps: 0 }]);
    const unpublished = await fixture.rows(
      `SELECT FROM event WHERE project_id = $1 AND type = '${type}' AND published_at IS NULL`,
      [fixture.projectId],
    );
    expect(unpublished).to.deep.equal([]);
  });
});
