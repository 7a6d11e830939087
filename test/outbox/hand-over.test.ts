import { newId } from '@scriptorium/contracts/ids';
import { Worker } from 'bullmq';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { claimTask } from '../../src/outbox/lease-queries.ts';
import { handOverTasks, taskHintId } from '../../src/outbox/relay/hand-over.ts';
import { recoverUnclaimed, recoverWipedRedis } from '../../src/outbox/relay/recover.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import {
  connectFailFast,
  connectForWorkers,
  prefixOf,
  type Redis,
} from '../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../src/queues/hints.ts';
import { endpointQueue } from '../../src/webhooks/relay/hand-over.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe('the hand-over of tasks', () => {
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
    await inTransaction(database.relay, (tx) => prepared(tx, 'DELETE FROM task', []));
    await slots(2);
  });

  const slots = (n: number) =>
    inTransaction(database.worker, async (tx) => {
      await prepared(tx, 'DELETE FROM worker', []);
      await prepared(tx, `INSERT INTO worker (id, queue, slots) VALUES ('w', 'maintenance', $1)`, [
        n,
      ]);
    });
  const addTasks = async (project: string, n: number): Promise<string[]> =>
    inProject(database.api, project, (tx) =>
      schedule(
        tx,
        project,
        null,
        ...Array.from(
          { length: n },
          () => ({ kind: 'object.purge', payload: { object_id: newId('object') } }) as const,
        ),
      ),
    );
  const run = async () => (await handOverTasks(database.relay, queues, 'maintenance')).hints;
  const hinted = async (): Promise<string[]> => {
    const jobs = await queues.maintenance.getJobs(['waiting', 'prioritized'], 0, -1, true);
    return jobs.map((job) => job.data.task_id as string);
  };

  it('adds four hints per live slot and leaves the rest in Postgres', async () => {
    await addTasks(await database.createProject(), 20);
    expect(await run()).to.equal(8);
    expect(await run()).to.equal(0);
    expect(await hinted()).to.have.length(8);
  });

  it('makes room when a hint is completed, not when a worker takes it', async () => {
    await addTasks(await database.createProject(), 20);
    await run();
    const connection = connectForWorkers(server.url, createLogger('silent', 'test'));
    const worker = new Worker('maintenance', null, { connection, prefix: prefixOf(connection) });
    try {
      const hint = (await worker.getNextJob('token', { block: false }))!;
      expect(await run()).to.equal(0);
      await hint.moveToCompleted('done', 'token', false);
      expect(await run()).to.equal(1);
    } finally {
      await worker.close();
      connection.disconnect();
    }
  });

  it('takes turns among projects, so that a large one does not delay a small one', async () => {
    const large = await database.createProject();
    const small = await database.createProject();
    await addTasks(large, 50);
    const [wanted] = await addTasks(small, 1);
    await run();
    expect((await hinted()).indexOf(wanted!)).to.be.within(0, 1);
  });

  it('gives nothing to workers that stopped reporting', async () => {
    await addTasks(await database.createProject(), 3);
    await inTransaction(database.worker, (tx) =>
      prepared(tx, `UPDATE worker SET seen_at = now() - interval '1 minute'`, []),
    );
    expect(await run()).to.equal(0);
  });

  it('adds hints that contain only an ID', async () => {
    await addTasks(await database.createProject(), 1);
    await run();
    const [job] = await queues.maintenance.getJobs(['waiting']);
    expect(job!.data).to.have.all.keys('task_id');
  });

  it('keeps all hints of small batches and some of large ones for operators', async () => {
    const keeping = async () => {
      const jobs = await queues.maintenance.getJobs(['waiting'], 0, -1, true);
      return jobs.map(({ opts }) => opts.removeOnComplete !== true);
    };
    await slots(20);
    await addTasks(await database.createProject(), 3);
    await run();
    expect(await keeping()).to.deep.equal([true, true, true]);
    await addTasks(await database.createProject(), 40);
    await run();
    expect((await keeping()).filter((kept) => kept)).to.have.length(13);
  });

  it('reports when more hints were waiting for workers than it had to add', async () => {
    await addTasks(await database.createProject(), 20);
    const hand = () => handOverTasks(database.relay, queues, 'maintenance');
    expect(await hand()).to.deep.equal({ hints: 8, early: false });
    const jobs = await queues.maintenance.getJobs(['waiting']);
    await jobs[0]!.remove();
    expect(await hand()).to.deep.equal({ hints: 1, early: true });
    await Promise.all(jobs.slice(1, 6).map((job) => job.remove()));
    expect(await hand()).to.deep.equal({ hints: 5, early: false });
  });

  it('adds each task once if two relays run', async () => {
    await slots(100);
    await addTasks(await database.createProject(), 300);
    const handed = await Promise.all([run(), run()]);
    // Each skips rows that the other has locked and leaves the rest to its next turn.
    handed.push(await run());
    expect(handed.reduce((sum, some) => sum + some)).to.equal(300);
    const hints = await hinted();
    expect(new Set(hints).size).to.equal(hints.length).and.to.equal(300);
  });

  it('detects a wiped Redis and hands over unclaimed tasks again', async () => {
    const ids = await addTasks(await database.createProject(), 4);
    await recoverWipedRedis(database.relay, redis, endpointQueue);
    await run();
    const claimed = await inTransaction(database.worker, (tx) => claimTask(tx, ids[0]!));
    expect(claimed).to.not.equal(null);
    await redis.flushall();
    expect(await recoverWipedRedis(database.relay, redis, endpointQueue)).to.equal(3);
    expect(await recoverWipedRedis(database.relay, redis, endpointQueue)).to.equal(0);
    await run();
    expect((await hinted()).sort()).to.deep.equal(ids.slice(1).sort());
  });

  it('repeats a lost hint after a while, but not a waiting one', async () => {
    const [kept, lost] = await addTasks(await database.createProject(), 2);
    await run();
    const jobs = await queues.maintenance.getJobs(['waiting']);
    await jobs.find((job) => job.data.task_id === lost)!.remove();
    // Both were handed over long ago. The hint of one still waits under its old name.
    await inTransaction(database.relay, (tx) =>
      prepared(tx, `UPDATE task SET handed_at = handed_at - interval '1 minute' WHERE id = $1`, [
        lost,
      ]),
    );
    expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(1);
    await run();
    expect((await hinted()).sort()).to.deep.equal([kept, lost].sort());
  });

  it('repeats a hint that was taken long ago by a worker that has not claimed its task', async () => {
    await addTasks(await database.createProject(), 1);
    // Handed over in the past, so that the hint has the name of that time.
    const [task] = await inTransaction(database.relay, (tx) =>
      prepared<{ id: string; handed_ms: number }>(
        tx,
        `UPDATE task SET handed_at = date_trunc('milliseconds', now() - interval '1 minute')
         RETURNING id, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms`,
        [],
      ),
    );
    const jobId = taskHintId(task!.id, task!.handed_ms);
    await queues.maintenance.add('maintenance', { task_id: task!.id }, { jobId });
    expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(0);
    const connection = connectForWorkers(server.url, createLogger('silent', 'test'));
    const worker = new Worker('maintenance', null, { connection, prefix: prefixOf(connection) });
    try {
      await worker.getNextJob('token', { block: false });
      expect(await recoverUnclaimed(database.relay, queues, endpointQueue)).to.equal(1);
      expect(await run()).to.equal(1);
    } finally {
      await worker.close();
      connection.disconnect();
    }
  });

  it('takes back what it could not add when Redis disconnects', async () => {
    await addTasks(await database.createProject(), 3);
    await server.kill();
    const outcome = await run().then(
      () => 'handed over',
      () => 'failed',
    );
    expect(outcome).to.equal('failed');
    const rows = await inTransaction(database.relay, (tx) =>
      prepared(tx, 'SELECT FROM task WHERE handed_at IS NOT NULL', []),
    );
    expect(rows).to.have.length(0);
    await server.restart();
    if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
    expect(await run()).to.equal(3);
  });

  it('survives losing Redis and Postgres together', async () => {
    await addTasks(await database.createProject(), 3);
    const broken = await openDatabase(database.urls.relayUrl, { poolSize: 1 });
    // The hand-over takes its rows, then reaches neither.
    queues.maintenance.addBulk = async () => {
      await broken.destroy();
      throw new Error('Redis is gone.');
    };
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const outcome = await handOverTasks(broken, queues, 'maintenance').catch(() => 'failed');
      expect(outcome).to.equal('failed');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
      delete (queues.maintenance as Partial<typeof queues.maintenance>).addBulk;
    }
  });
});
