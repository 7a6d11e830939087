import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import type { Database } from '../../src/db/database.ts';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { type ClaimedTask, claimTask, LeaseLost } from '../../src/outbox/lease-queries.ts';
import { expireLeases } from '../../src/outbox/relay/recover.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { createTaskEnder } from '../../src/workers/leases.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';

describe('ending tasks without results to store', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  const asWorker = <Row extends object>(sql: string, values: unknown[] = []) =>
    inTransaction(database.worker, (tx) => prepared<Row>(tx, sql, values));
  /** Tasks of one project each, all claimed. */
  const claimed = (n: number): Promise<ClaimedTask[]> =>
    Promise.all(
      Array.from({ length: n }, async () => {
        const project = await database.createProject();
        const payload = { object_id: newId('object') };
        const [id] = await inProject(database.api, project, (tx) =>
          schedule(tx, project, null, { kind: 'object.purge', payload }),
        );
        return (await inTransaction(database.worker, (tx) => claimTask(tx, id!)))!;
      }),
    );
  const left = async (): Promise<string[]> =>
    (await asWorker<{ id: string }>('SELECT id FROM task')).map(({ id }) => id);
  beforeEach(() => asWorker('DELETE FROM task'));

  it('ends simultaneous tasks in one transaction, across projects', async () => {
    const tasks = await claimed(20);
    let transactions = 0;
    const counting: Database = Object.create(database.worker, {
      createQueryRunner: {
        value: () => {
          transactions += 1;
          return database.worker.createQueryRunner();
        },
      },
    });
    await Promise.all(tasks.map(createTaskEnder(counting)));
    expect(transactions).to.equal(1);
    expect(await left()).to.deep.equal([]);
  });

  it('ends the others if some leases are lost, and reports each lost one', async () => {
    const tasks = await claimed(4);
    const [retaken, gone] = tasks as [ClaimedTask, ClaimedTask];
    await asWorker(`UPDATE task SET lease_until = now() WHERE id = $1`, [retaken.taskId]);
    await inTransaction(database.relay, expireLeases);
    await inTransaction(database.worker, (tx) => claimTask(tx, retaken.taskId));
    await asWorker('DELETE FROM task WHERE id = $1', [gone.taskId]);
    const ends = await Promise.allSettled(tasks.map(createTaskEnder(database.worker)));
    expect(ends.map((one) => one.status === 'rejected' && one.reason)).to.satisfy(
      ([first, second, third, fourth]: unknown[]) =>
        first instanceof LeaseLost && second instanceof LeaseLost && !third && !fourth,
    );
    expect(await left()).to.deep.equal([retaken.taskId]);
  });

  it('waits for a locked task without delaying others', async () => {
    const tasks = await claimed(3);
    const locked = tasks[0]!;
    const ends = await inTransaction(database.relay, async (tx) => {
      await prepared(tx, 'SELECT FROM task WHERE id = $1 FOR UPDATE', [locked.taskId]);
      const end = createTaskEnder(database.worker);
      const all = Promise.all(tasks.map(end));
      await eventually(async () => (await left()).length === 1);
      expect(await left()).to.deep.equal([locked.taskId]);
      return { all };
    });
    await ends.all;
    expect(await left()).to.deep.equal([]);
  });
});
