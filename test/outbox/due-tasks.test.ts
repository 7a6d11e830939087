import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction, prepared, query, type Tx } from '../../src/db/transaction.ts';
import { claimTasks } from '../../src/outbox/lease-queries.ts';
import { pauseQueue, resumeQueue } from '../../src/outbox/pause.ts';
import { takeDueTasks } from '../../src/outbox/relay/due-task-queries.ts';
import { waitingQueues } from '../../src/outbox/relay/hand-over.ts';
import { expireLeases } from '../../src/outbox/relay/recover.ts';
import { scheduleAwaited } from '../../src/outbox/schedule.ts';
import { endpointQueue } from '../../src/webhooks/relay/hand-over.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { createPick } from '../support/random.ts';

describe('selection of due tasks', () => {
  let database: DatabaseFixture;
  /** One connection, so that plans made for the empty table stay in use. */
  let relay: Database;
  const open = async () => {
    database = await openDatabaseFixture();
    relay = await openDatabase(database.urls.relayUrl, { poolSize: 1 });
  };
  const close = async () => {
    await relay.destroy();
    await database.close();
  };
  before(open);
  after(close);
  beforeEach(async () => {
    await inTransaction(relay, (tx) => prepared(tx, 'DELETE FROM task', []));
    await slots(1_000);
  });

  /** A worker with this number of slots, seen just now and valid for a while. */
  const slots = (n: number) =>
    inTransaction(relay, (tx) =>
      prepared(
        tx,
        `INSERT INTO worker (id, queue, slots, seen_at)
         VALUES ('w', 'maintenance', $1, now() + interval '1 hour')
         ON CONFLICT (id, queue) DO UPDATE SET slots = excluded.slots`,
        [n],
      ),
    );

  /**
   * Adds tasks to a project, the first due since `seconds`, each following one a millisecond later.
   */
  const add = (project: string, n: number, seconds: number, queue = 'maintenance') =>
    inTransaction(relay, (tx) =>
      query(
        tx,
        `INSERT INTO task (id, project_id, queue, kind, payload, due_at)
         SELECT 'tsk_' || gen_random_uuid(), $1, $4, 'object.purge', '{"object_id": "obj_1"}',
           now() - $3 * interval '1 second' + i * interval '1 millisecond'
         FROM generate_series(1, $2::integer) AS i`,
        [project, n, seconds, queue],
      ),
    );
  const takeIn = (tx: Tx, max: number) =>
    takeDueTasks(tx, 'maintenance', { max, waiting: 0, active: 0 });
  const take = (max: number) => inTransaction(relay, (tx) => takeIn(tx, max));
  const awaited = (tx: Tx, project: string): void =>
    scheduleAwaited(tx, project, 'obj_2', {
      kind: 'object.purge',
      payload: { object_id: 'obj_2' },
    });

  it('takes turns among projects, longest due first', async () => {
    await add('prj_a', 5, 50);
    await add('prj_b', 2, 40);
    await add('prj_c', 1, 60);
    const taken = await take(7);
    expect(taken.map((task) => task.project_id)).to.deep.equal(
      ['c', 'a', 'b', 'a', 'b', 'a', 'a'].map((name) => `prj_${name}`),
    );
  });

  it('gives every project its share, however much another has waiting', async () => {
    await add('prj_a', 2_000, 600);
    await add('prj_b', 30, 30);
    await add('prj_c', 1, 20);
    await add('prj_d', 500, -3_600);
    const taken = await take(20);
    const of = (project: string) => taken.filter((task) => task.project_id === project).length;
    expect([of('prj_a'), of('prj_b'), of('prj_c'), of('prj_d')]).to.deep.equal([10, 9, 1, 0]);
  });

  it('lets what a client waits for overtake the tasks of its own project alone', async () => {
    await add('prj_a', 10_000, 600);
    await add('prj_b', 1, 900);
    await add('prj_c', 1, 60);
    for (const _ of [1, 2]) await inTransaction(relay, async (tx) => awaited(tx, 'prj_a'));
    await inTransaction(relay, async (tx) => awaited(tx, 'prj_d'));
    const taken = await take(7);
    expect(taken.map((task) => task.project_id)).to.deep.equal(
      ['b', 'a', 'c', 'd', 'a', 'a', 'a'].map((name) => `prj_${name}`),
    );
    const waiting = await inTransaction(relay, (tx) =>
      query(tx, `SELECT id FROM task WHERE resource_id = 'obj_2' AND handed_at IS NULL`, []),
    );
    expect(waiting).to.deep.equal([]);
  });

  it('takes as many as live workers have room for, and none while the queue is paused', async () => {
    await add('prj_a', 20, 60);
    await slots(2);
    const taken = (waiting: number, active = 0) =>
      inTransaction(relay, (tx) => takeDueTasks(tx, 'maintenance', { max: 250, waiting, active }));
    expect(await taken(5, 1)).to.have.length(2);
    // Tasks that a dead worker had taken still count as taken.
    expect(await taken(5, 40)).to.have.length(1);
    expect(await taken(8)).to.have.length(0);
    expect(await taken(9)).to.have.length(0);
    await inTransaction(database.owner, (tx) => pauseQueue(tx, 'maintenance', null));
    expect(await taken(0)).to.have.length(0);
    await inTransaction(database.owner, (tx) => resumeQueue(tx, 'maintenance'));
    expect(await taken(0)).to.have.length(8);
  });

  it('takes every due task exactly once, for any projects and batches', async () => {
    const pick = createPick(7);
    for (let round = 0; round < 8; round += 1) {
      await inTransaction(relay, (tx) => prepared(tx, 'DELETE FROM task', []));
      const projects = 1 + pick(12);
      let due = 0;
      for (let at = 0; at < projects; at += 1) {
        const n = pick(3) === 0 ? pick(400) : pick(8);
        await add(`prj_${at}`, n, 100 + pick(50));
        await add(`prj_${at}`, pick(30), -3_600);
        due += n;
      }
      const taken: string[] = [];
      for (;;) {
        const [one, other] = await Promise.all([
          inTransaction(database.relay, (tx) => takeIn(tx, 1 + pick(60))),
          inTransaction(database.relay, (tx) => takeIn(tx, 1 + pick(60))),
        ]);
        taken.push(...one.map(({ id }) => id), ...other.map(({ id }) => id));
        if (one.length + other.length === 0 && (await take(1)).length === 0) break;
      }
      expect(taken).to.have.length(due);
      expect(new Set(taken).size).to.equal(due);
    }
  });

  /** How much work increases a Postgres counter of the connection. */
  const grown = (counter: string, work: (tx: Tx) => Promise<unknown>) =>
    inTransaction(relay, async (tx) => {
      const read = async () =>
        (await prepared<{ n: number }>(tx, `SELECT ${counter} AS n`, []))[0]!.n;
      const before = await read();
      await work(tx);
      return (await read()) - before;
    });

  it('is a HOT update that writes no index', async () => {
    await add('prj_a', 60, 60);
    const hot = await grown(`pg_stat_get_xact_tuples_hot_updated('task'::regclass)`, (tx) =>
      takeIn(tx, 60),
    );
    expect(hot).to.equal(60);
  });

  describe('from a hundred thousand', () => {
    // Rows that other tests deleted would distort the counts.
    beforeEach(async () => {
      await close();
      await open();
      await slots(1_000);
    });
    /** Pages of the table and its indexes. */
    const pages = `pg_stat_get_xact_blocks_fetched('task'::regclass)
      + (SELECT sum(pg_stat_get_xact_blocks_fetched(indexrelid))::bigint FROM pg_index
         WHERE indrelid = 'task'::regclass)`;
    const steps: Record<string, (tx: Tx) => Promise<unknown>> = {
      'asking which queues wait': (tx) => waitingQueues(tx, endpointQueue),
      'handing over': (tx) => takeIn(tx, 10),
      'taking leases back': expireLeases,
      claiming: (tx) => claimTasks(tx, ['tsk_1', 'tsk_2']),
      'scheduling what a client waits for': async (tx) => awaited(tx, 'prj_e'),
    };
    const fill = async (seconds: number) => {
      for (const name of 'abcdefghij') await add(`prj_${name}`, 10_000, seconds);
    };
    /** Far less than one page per task. */
    const few = 1_000;

    for (const [state, seconds] of [
      ['that are due', 3_600],
      ['that are due at another time', -3_600],
    ] as const) {
      it(`reads few pages of tasks ${state} with plans for an empty table`, async () => {
        for (const step of Object.values(steps)) await inTransaction(relay, step);
        await fill(seconds);
        for (const [name, step] of Object.entries(steps)) {
          expect(await grown(pages, step), name).to.be.below(few);
        }
      });
    }

    it('reads few pages of due tasks with plans for few projects', async () => {
      // With these statistics, reading and sorting a project's tasks looks as cheap as any index.
      for (const name of 'abcdefgh') await add(`prj_${name}`, 500, 3_600);
      await inTransaction(database.owner, (tx) => query(tx, 'ANALYZE task', []));
      for (const step of Object.values(steps)) await inTransaction(relay, step);
      await fill(3_600);
      for (const [name, step] of Object.entries(steps)) {
        expect(await grown(pages, step), name).to.be.below(few);
      }
    });
  });
});
