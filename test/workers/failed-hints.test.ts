import { expect } from 'chai';
import { createProject } from '../../src/access/projects.ts';
import { inTransaction, query } from '../../src/db/transaction.ts';
import type { RunningWorker } from '../../src/workers/deps.ts';
import { startTaskWorker } from '../../src/workers/runtime.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';
import { prepareWorkers, type TestWorkers } from '../support/workers.ts';

describe('tasks that failed, on the board', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let workers: TestWorkers;
  let worker: RunningWorker;
  let isBroken: boolean;
  before(async () => {
    [database, server] = await Promise.all([openDatabaseFixture(), startPrivateRedis()]);
    workers = await prepareWorkers(database, server.url);
    workers.start('relay');
    const { storage } = workers.deps;
    const cleanTemp = async (age: number): Promise<number> => {
      if (isBroken) throw new Error('it is broken');
      return storage.cleanTemp(age);
    };
    const deps = { ...workers.deps, storage: { ...storage, cleanTemp } };
    worker = startTaskWorker(deps, 'maintenance', 1);
  });
  after(async () => {
    await worker.stop(2_000);
    await workers.stop();
    await Promise.all([database.close(), server.remove()]);
  });

  const rows = <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
    inTransaction(database.owner, (tx) => query<Row>(tx, sql, values));
  /** A task that has failed once, and its hint. */
  const failOnce = async () => {
    isBroken = true;
    const { projectId } = await inTransaction(database.owner, (tx) => createProject(tx, 'failing'));
    const [task] = await rows<{ id: string }>(
      `UPDATE task SET due_at = now() WHERE project_id = $1 AND kind = 'project.tidy' RETURNING id`,
      [projectId],
    );
    const id = task!.id;
    workers.deps.wake();
    const hint = await eventually(async () =>
      (await workers.deps.queues.maintenance.getFailed()).find(({ data }) => data.task_id === id),
    );
    isBroken = false;
    return { id, hint };
  };
  const failed = async (id: string): Promise<number> =>
    (await workers.deps.queues.maintenance.getFailed()).filter(({ data }) => data.task_id === id)
      .length;
  const gone = (id: string) =>
    eventually(async () => (await rows('SELECT FROM task WHERE id = $1', [id])).length === 0);

  it('are failed there, with the reason that the command line shows', async () => {
    const { id, hint } = await failOnce();
    const [task] = await rows<{ last_error: string }>('SELECT last_error FROM task WHERE id = $1', [
      id,
    ]);
    expect(hint.failedReason).to.equal(task!.last_error);
    expect(hint.failedReason).to.include('it is broken');
    expect(hint.stacktrace?.join()).to.not.include('runtime');
  });

  it('are no longer failed once they run again', async () => {
    const { id } = await failOnce();
    await rows('UPDATE task SET due_at = now() WHERE id = $1', [id]);
    workers.deps.wake();
    await gone(id);
    expect(await failed(id)).to.equal(0);
  });

  it('run at once if they are retried there, however late they are due', async () => {
    const { id, hint } = await failOnce();
    await rows(`UPDATE task SET due_at = now() + interval '1 day' WHERE id = $1`, [id]);
    await hint.retry();
    await gone(id);
    expect(await failed(id)).to.equal(0);
  });
});
