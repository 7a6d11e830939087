import { expect } from 'chai';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { claimTasks } from '../../src/outbox/lease-queries.ts';
import { pauseQueue, resumeQueue } from '../../src/outbox/pause.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { createPick } from '../support/random.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

/**
 * Tasks of several projects with two relays and two workers, while at random Redis is wiped, the
 * queue paused, workers replaced, hand-overs lost with their relay and claims lost with their
 * worker. Each task creates one task for later: in the end there must be as many of these as there
 * were tasks.
 */
describe('tasks under faults', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let redis: Redis;
  before(async () => {
    database = await openDatabaseFixture();
    server = await startPrivateRedis();
    redis = connectFailFast(server.url, createLogger('silent', 'test'));
    await new Promise((resolve) => redis.once('ready', resolve));
  });
  after(async () => {
    redis.disconnect();
    await server.remove();
    await database.close();
  });

  const scheduleSome = (project: string, n: number): Promise<string[]> =>
    inProject(database.api, project, (tx) =>
      schedule(
        tx,
        project,
        project,
        ...Array.from({ length: n }, () => ({ kind: 'project.tidy', payload: {} }) as const),
      ),
    );
  const asRelay = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(database.relay, (tx) => prepared<Row>(tx, sql, values));
  const count = async (where: string): Promise<number> =>
    (await asRelay<{ n: number }>(`SELECT count(*) AS n FROM task WHERE ${where}`))[0]!.n;
  const start = async (...queues: Parameters<TestWorkers['start']>): Promise<TestWorkers> => {
    const workers = await prepareWorkers(database, server.url);
    workers.start(...queues);
    return workers;
  };

  for (const seed of [1, 2, 3]) {
    it(`take effect exactly once (${seed})`, async () => {
      const pick = createPick(seed);
      await asRelay('DELETE FROM task');
      const projects = await Promise.all(Array.from({ length: 4 }, () => database.createProject()));
      const relays = [await start('relay'), await start('relay')];
      const workers = [await start('maintenance'), await start('maintenance')];
      let made = 0;
      const faults: (() => Promise<unknown>)[] = [
        () => redis.flushall(),
        () => inTransaction(database.owner, (tx) => pauseQueue(tx, 'maintenance', null)),
        () => inTransaction(database.owner, (tx) => resumeQueue(tx, 'maintenance')),
        async () => {
          const at = pick(2);
          await workers[at]!.stop(0);
          workers[at] = await start('maintenance');
        },
        // A relay that dies between its mark and its hint leaves a task handed over long ago.
        () =>
          asRelay(
            `UPDATE task SET handed_at = now() - interval '31 seconds' WHERE id = ANY(ARRAY(
               SELECT id FROM task WHERE state = 'pending' AND handed_at IS NULL AND due_at <= now()
               LIMIT 3 FOR UPDATE SKIP LOCKED))`,
          ),
        // A worker that dies with its claims leaves leases that expire.
        async () => {
          const due = await asRelay<{ id: string }>(
            `SELECT id FROM task WHERE state = 'pending' AND due_at <= now() LIMIT 3`,
          );
          const claimed = await inTransaction(database.worker, (tx) =>
            claimTasks(
              tx,
              due.map(({ id }) => id),
            ),
          );
          await asRelay(`UPDATE task SET lease_until = now() WHERE id = ANY($1)`, [
            [...claimed.keys()],
          ]);
        },
      ];
      try {
        for (let round = 0; round < 30; round += 1) {
          made += (await scheduleSome(projects[pick(4)]!, 1 + pick(12))).length;
          relays[0]!.deps.wake();
          await faults[pick(faults.length)]!();
        }
        await inTransaction(database.owner, (tx) => resumeQueue(tx, 'maintenance'));
        // Unclaimed hand-overs are swept every four seconds.
        await eventually(async () => (await count('due_at <= now()')) === 0);
        expect(
          await count(`state = 'pending' AND due_at > now() + interval '30 minutes'`),
        ).to.equal(made);
        expect(await count('true')).to.equal(made);
      } finally {
        await Promise.all([...relays, ...workers].map((each) => each.stop(1_000)));
      }
    });
  }
});
