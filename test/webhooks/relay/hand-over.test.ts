import { expect } from 'chai';
import { inTransaction, prepared } from '../../../src/db/transaction.ts';
import { createLogger } from '../../../src/logger.ts';
import { addEndpointHints, handOverEndpoints } from '../../../src/outbox/relay/hand-over.ts';
import { recoverUnclaimed, recoverWipedRedis } from '../../../src/outbox/relay/recover.ts';
import type { HandedEndpoint } from '../../../src/outbox/relay/webhooks.ts';
import { connectFailFast, type Redis } from '../../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../../src/queues/hints.ts';
import { claimDeliveries } from '../../../src/webhooks/delivery/sending/claim.ts';
import { endpointQueue, handOverDue } from '../../../src/webhooks/relay/hand-over.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../../support/database-fixture.ts';
import { eventually } from '../../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../../support/services.ts';
import { openWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

describe('the hand-over of endpoints', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let redis: Redis;
  let queues: Queues;
  before(async () => {
    database = await openDatabaseFixture();
    server = await startPrivateRedis();
    redis = connectFailFast(server.url, createLogger('silent', 'test'));
    await new Promise((resolve) => redis.once('ready', resolve));
    queues = openQueues(redis);
  });
  after(async () => {
    await closeQueues(queues);
    redis.disconnect();
    await server.remove();
    await database.close();
  });
  beforeEach(async () => {
    await redis.flushall();
    await inTransaction(database.relay, async (tx) => {
      await prepared(tx, 'DELETE FROM due_delivery', []);
      await prepared(tx, 'UPDATE webhook_flow SET handed_at = NULL', []);
    });
    await slots(50);
  });

  const slots = (n: number) =>
    inTransaction(database.worker, async (tx) => {
      await prepared(tx, 'DELETE FROM worker', []);
      await prepared(tx, `INSERT INTO worker (id, queue, slots) VALUES ('w', 'webhooks', $1)`, [n]);
    });
  const run = () => handOverEndpoints(database.relay, queues, endpointQueue);
  const hinted = async (): Promise<string[]> => {
    const jobs = await queues.webhooks.getJobs(['waiting', 'prioritized'], 0, -1, true);
    return jobs.map((job) => job.data.endpoint_id as string);
  };
  const url = 'http://127.0.0.1:1/hook';
  /** A project with `endpoints` endpoints, each owed `events` events. */
  const project = async (
    endpoints: number,
    events: number,
  ): Promise<WebhookFixture & { ids: string[] }> => {
    const fixture = await openWebhookFixture(database);
    const ids: string[] = [];
    for (let at = 0; at < endpoints; at++) ids.push((await fixture.addEndpoint({ url })).id);
    for (let at = 0; at < events; at++) await fixture.recordTrashed();
    await fixture.relay();
    return { ...fixture, ids };
  };
  const set = (
    fixture: WebhookFixture,
    table: 'webhook_flow' | 'webhook_endpoint',
    columns: string,
  ) => fixture.rows(`UPDATE ${table} SET ${columns} WHERE project_id = $1`, [fixture.projectId]);

  it('gives one hint per endpoint, however much it is owed, until the hint is taken', async () => {
    const { ids } = await project(2, 30);
    expect(await run()).to.equal(2);
    expect(await run()).to.equal(0);
    expect((await hinted()).sort()).to.deep.equal(ids.sort());
    await inTransaction(database.worker, (tx) => claimDeliveries(tx, [ids[0]!], 1));
    expect(await run()).to.equal(1);
  });

  it('takes turns among projects, so that a large one does not delay others', async () => {
    await slots(1);
    const large = await project(12, 1);
    const small = await project(1, 1);
    expect(await run()).to.equal(4);
    const order = await hinted();
    expect(order.indexOf(small.ids[0]!)).to.be.within(0, 1);
    expect(order.filter((id) => large.ids.includes(id))).to.have.length(3);
  });

  it('skips endpoints that are paused, held, out of tokens or at their limit', async () => {
    const fixture = await project(1, 3);
    await set(fixture, 'webhook_endpoint', `state = 'paused'`);
    expect(await run(), 'paused').to.equal(0);
    await set(fixture, 'webhook_endpoint', `state = 'enabled'`);
    await set(
      fixture,
      'webhook_flow',
      `held_until = now() + interval '1 minute', hold_seconds = 10`,
    );
    expect(await run(), 'held').to.equal(0);
    await set(
      fixture,
      'webhook_flow',
      `held_until = NULL, hold_seconds = NULL, tokens = -60, refilled_at = now()`,
    );
    await set(fixture, 'webhook_endpoint', 'max_per_second = 1');
    expect(await run(), 'at its rate').to.equal(0);
    await set(fixture, 'webhook_endpoint', 'max_per_second = NULL, max_in_flight = 2');
    await inTransaction(database.worker, (tx) => claimDeliveries(tx, fixture.ids, 50));
    expect(await run(), 'two under way').to.equal(0);
    await set(fixture, 'webhook_endpoint', 'max_in_flight = 3');
    expect(await run()).to.equal(1);
  });

  it('includes an endpoint out of tokens after the clock of Postgres was set back', async () => {
    const fixture = await project(1, 2);
    await set(fixture, 'webhook_endpoint', 'max_per_second = 1');
    await set(fixture, 'webhook_flow', `tokens = 0, refilled_at = now() + interval '1 hour'`);
    expect(await run()).to.equal(1);
    await inTransaction(database.worker, (tx) => claimDeliveries(tx, fixture.ids, 50));
    const flow = await fixture.rows<{ from_now: boolean }>(
      'SELECT refilled_at <= now() AS from_now FROM webhook_flow WHERE project_id = $1',
      [fixture.projectId],
    );
    expect(flow).to.deep.equal([{ from_now: true }]);
  });

  it('includes an endpoint on hold with deliveries that failed before', async () => {
    const fixture = await project(1, 3);
    await set(
      fixture,
      'webhook_flow',
      `held_until = now() + interval '1 minute', hold_seconds = 10, window_size = 1`,
    );
    await fixture.rows(
      'UPDATE due_delivery SET lane = 1 WHERE id = (SELECT max(id) FROM due_delivery)',
    );
    expect(await run()).to.equal(1);
  });

  it('includes disabled and deleted endpoints, whose deliveries a worker ends', async () => {
    const fixture = await project(2, 2);
    const [gone, off] = fixture.ids;
    await inTransaction(database.api, async (tx) => {
      await prepared(tx, `SELECT set_config('app.project_id', $1, true)`, [fixture.projectId]);
      await prepared(tx, 'DELETE FROM webhook_flow WHERE endpoint_id = $1', [gone]);
      await prepared(tx, 'DELETE FROM webhook_endpoint WHERE id = $1', [gone]);
      await prepared(tx, `UPDATE webhook_endpoint SET state = 'disabled' WHERE id = $1`, [off]);
    });
    expect(await run()).to.equal(2);
    const claimed = await inTransaction(database.worker, (tx) =>
      claimDeliveries(tx, fixture.ids, 50),
    );
    expect(claimed).to.deep.equal([]);
    const states = await fixture.rows<{ endpoint_id: string; state: string; reason: string }>(
      `SELECT DISTINCT endpoint_id, state, reason FROM delivery WHERE project_id = $1`,
      [fixture.projectId],
    );
    expect(states).to.have.deep.members([
      { endpoint_id: gone, state: 'cancelled', reason: 'endpoint_deleted' },
      { endpoint_id: off, state: 'skipped', reason: 'endpoint_disabled' },
    ]);
    expect(await run()).to.equal(0);
  });

  it('gives each hint once if two relays run', async () => {
    await project(30, 2);
    const handed = await Promise.all([run(), run(), run()]);
    expect(handed.reduce((sum, n) => sum + n)).to.equal(30);
    const hints = await hinted();
    expect(new Set(hints).size).to.equal(hints.length).and.to.equal(30);
  });

  it('recovers hints after Redis is wiped, and hints that stay unclaimed', async () => {
    const fixture = await project(3, 1);
    await recoverWipedRedis(database.relay, redis, endpointQueue);
    await run();
    await redis.flushall();
    expect(await recoverWipedRedis(database.relay, redis, endpointQueue)).to.equal(3);
    expect(await run()).to.equal(3);
    expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(0);
    await set(fixture, 'webhook_flow', `handed_at = handed_at - interval '1 minute'`);
    expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(3);
    expect(await run()).to.equal(3);
  });

  it('gives no second hint while the first one waits for a worker', async () => {
    const { ids } = await project(2, 1);
    const [waiting, taken] = await Promise.all(
      ids.map(async (id) => {
        const [handed] = await inTransaction(database.relay, (tx) =>
          prepared<HandedEndpoint>(
            tx,
            `UPDATE webhook_flow SET handed_at = date_trunc('milliseconds', now() - interval '1 minute')
             WHERE endpoint_id = $1
             RETURNING endpoint_id, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms`,
            [id],
          ),
        );
        return handed!;
      }),
    );
    await addEndpointHints(database.relay, queues, endpointQueue, [waiting!]);
    expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(1);
    expect(await run()).to.equal(1);
    expect(await hinted()).to.deep.equal([waiting!.endpoint_id, taken!.endpoint_id]);
  });

  describe('after deliveries became due', () => {
    const tell = (ids: string[]) =>
      handOverDue(database.relay, ids, (handed) =>
        addEndpointHints(database.relay, queues, endpointQueue, handed),
      );

    it('gives hints at once, except to endpoints that have one', async () => {
      const { ids } = await project(3, 1);
      await tell(ids.slice(0, 2));
      await tell(ids);
      expect((await hinted()).sort()).to.deep.equal(ids.sort());
    });

    it('waits for a concurrent claim that may have looked too early', async () => {
      const { ids } = await project(1, 1);
      expect(await run()).to.equal(1);
      let told: Promise<void> | undefined;
      await inTransaction(database.worker, async (tx) => {
        await claimDeliveries(tx, ids, 50);
        told = tell(ids);
        await eventually(async () => {
          const [row] = await inTransaction(database.relay, (other) =>
            prepared<{ n: number }>(
              other,
              `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%webhook_flow%'`,
              [],
            ),
          );
          return row!.n > 0;
        });
      });
      await told;
      expect(await hinted()).to.deep.equal([ids[0], ids[0]]);
    });

    it('does not wait long for a locked endpoint', async () => {
      const { ids } = await project(2, 1);
      await inTransaction(database.worker, async (tx) => {
        await claimDeliveries(tx, [ids[0]!], 50);
        const outcome = await tell(ids).catch((error: Error) => error.message);
        expect(outcome).to.include('lock timeout');
      });
      expect(await hinted()).to.deep.equal([]);
    });

    it('takes hints back when Redis disconnects', async () => {
      const fixture = await project(2, 1);
      await server.kill();
      const outcome = await tell(fixture.ids).then(
        () => 'handed over',
        () => 'failed',
      );
      expect(outcome).to.equal('failed');
      const rows = await fixture.rows(
        'SELECT FROM webhook_flow WHERE handed_at IS NOT NULL AND project_id = $1',
        [fixture.projectId],
      );
      expect(rows).to.deep.equal([]);
      await server.restart();
      if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
      await tell(fixture.ids);
      expect((await hinted()).sort()).to.deep.equal(fixture.ids.sort());
    });
  });
});
