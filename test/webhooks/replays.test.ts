import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { LeaseLost } from '../../src/outbox/lease-queries.ts';
import { expireLeases } from '../../src/outbox/relay/recover.ts';
import { findReplay } from '../../src/webhooks/replays/read.ts';
import { runReplay } from '../../src/webhooks/replays/run.ts';
import { planReplay, startReplay } from '../../src/webhooks/replays/start.ts';
import {
  type DatabaseFixture,
  openDatabaseFixture,
  originOf,
} from '../support/database-fixture.ts';
import { runReplayStep } from '../support/replays.ts';
import { takeTask } from '../support/tasks.ts';
import {
  openWebhookFixture,
  recordManyEvents,
  type WebhookFixture,
} from '../support/webhook-fixture.ts';

describe('replays of many events', () => {
  let database: DatabaseFixture;
  let superuser: Database;
  let fixture: WebhookFixture;
  before(async () => {
    database = await openDatabaseFixture();
    superuser = await openDatabase(database.urls.superuserUrl, { poolSize: 1 });
  });
  after(async () => {
    await superuser.destroy();
    await database.close();
  });
  beforeEach(async () => {
    fixture = await openWebhookFixture(database);
  });

  const happen = (count: number) => recordManyEvents(superuser, fixture, count);
  const start = (endpointId: string, only: 'failed' | 'missing' | 'all'): Promise<string> =>
    inProject(database.api, fixture.projectId, async (tx) => {
      const endpoint = (await fixture.readEndpoint(endpointId))!;
      const plan = await planReplay(
        tx,
        endpoint,
        {
          since: '2020-01-01T00:00:00Z',
          only,
          dry_run: false,
        },
        { readsAudit: true },
      );
      return startReplay(tx, originOf(fixture.projectId), plan);
    });
  const read = (endpointId: string, id: string) =>
    inProject(database.api, fixture.projectId, (tx) =>
      findReplay(tx, fixture.projectId, endpointId, id),
    );
  const taskOf = async (id: string): Promise<string> => {
    const [task] = await fixture.rows<{ id: string }>(
      'SELECT id FROM task WHERE resource_id = $1',
      [id],
    );
    return task!.id;
  };
  const counted = async () =>
    (
      await fixture.rows(
        `SELECT count(*) AS deliveries, count(DISTINCT d.event_id) AS events, sum(e.owed)::int AS owed,
           bool_and(d.event_type = e.type) AS typed
         FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.project_id = $1`,
        [fixture.projectId],
      )
    )[0];

  it('continue at the batch at which the worker died and create no delivery twice', async () => {
    await happen(2_500);
    const { id: endpoint } = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    const id = await start(endpoint, 'missing');
    await runReplayStep(database.worker, id);
    expect(await read(endpoint, id)).to.include({ matched: 2_500, queued: 1_000, pending: 1_000 });
    // Two workers have the same batch: the first was silent for too long.
    const late = await takeTask<'webhook.replay'>(database.worker, await taskOf(id));
    await fixture.rows(`UPDATE task SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      late.task.taskId,
    ]);
    expect(await inTransaction(database.relay, expireLeases)).to.equal(1);
    await runReplayStep(database.worker, id);
    const rejected = await runReplay({}, late).catch((error: unknown) => error);
    expect(rejected).to.be.instanceOf(LeaseLost);
    expect(await read(endpoint, id)).to.include({ queued: 2_000, pending: 2_000 });
    // Even a batch that is queued again, as after its row was restored, creates nothing twice.
    await inTransaction(superuser, (tx) =>
      query(tx, `UPDATE replay SET walk = '[{"of": "domain", "after": 0, "to": 2500}]'`, []),
    );
    for (let at = 0; at < 4; at++) await runReplayStep(database.worker, id);
    expect(await read(endpoint, id)).to.include({ state: 'running', queued: 2_500 });
    expect(await counted()).to.deep.equal({
      deliveries: 2_500,
      events: 2_500,
      owed: 2_500,
      typed: true,
    });
  });

  /** In how many seconds a replay goes on, as of its last step. */
  const pauseOf = async (id: string): Promise<number> => {
    const [task] = await fixture.rows<{ pause: number }>(
      'SELECT extract(epoch FROM due_at - created_at)::float8 AS pause FROM task WHERE resource_id = $1',
      [id],
    );
    return task!.pause;
  };

  it('queue no more deliveries than can be sent soon', async () => {
    await happen(11_500);
    const { id: endpoint } = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    const id = await start(endpoint, 'all');
    for (let at = 0; at < 10; at++) await runReplayStep(database.worker, id);
    // While nothing is sent, it is looked at less and less often.
    const pauses: number[] = [];
    for (let at = 0; at < 8; at++) {
      await runReplayStep(database.worker, id);
      pauses.push(await pauseOf(id));
    }
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(await read(endpoint, id)).to.include({ matched: 11_500, queued: 10_000 });
    await inTransaction(superuser, async (tx) => {
      await query(tx, 'DELETE FROM due_delivery WHERE replay_id = $1', [id]);
      await query(tx, `UPDATE delivery SET state = 'exhausted' WHERE replay_id = $1`, [id]);
    });
    await runReplayStep(database.worker, id);
    expect(await pauseOf(id)).to.equal(0);
    for (let at = 0; at < 2; at++) await runReplayStep(database.worker, id);
    expect(await read(endpoint, id)).to.include({
      state: 'running',
      queued: 11_500,
      pending: 1_500,
      exhausted: 10_000,
    });
  });

  it('find all kinds and any number of failed deliveries', async () => {
    const { id: endpoint } = await fixture.addEndpoint({ url: 'http://127.0.0.1:9/' });
    await happen(2_300);
    expect(await counted()).to.include({ deliveries: 2_300, typed: true });
    await inTransaction(superuser, async (tx) => {
      await query(tx, 'DELETE FROM due_delivery WHERE endpoint_id = $1', [endpoint]);
      await query(
        tx,
        `UPDATE delivery d SET finished_at = now(), state = CASE e.ordinal % 3 WHEN 0 THEN 'skipped'
           WHEN 1 THEN 'succeeded' ELSE 'exhausted' END
         FROM event e WHERE e.id = d.event_id AND d.endpoint_id = $1`,
        [endpoint],
      );
    });
    const failed = await fixture.rows<{ event_id: string }>(
      `SELECT event_id FROM delivery WHERE endpoint_id = $1 AND state <> 'succeeded' ORDER BY 1`,
      [endpoint],
    );
    const id = await start(endpoint, 'failed');
    expect(await read(endpoint, id)).to.include({ matched: failed.length });
    await runReplayStep(database.worker, id);
    await runReplayStep(database.worker, id);
    expect(await read(endpoint, id)).to.include({ queued: failed.length });
    expect(
      await fixture.rows('SELECT event_id FROM delivery WHERE replay_id = $1 ORDER BY 1', [id]),
    ).to.deep.equal(failed);
  });
});
