import { newId } from '@scriptorium/contracts/ids';
import { expect } from 'chai';
import { inProject, inTransaction, prepared, send } from '../../src/db/transaction.ts';
import {
  type ClaimedTask,
  claimTask,
  claimTasks,
  deferTask,
  endTasks,
  failTask,
  finishTask,
  isLeaseLost,
  LeaseLost,
  releaseTask,
  renewLeases,
  sendFinish,
} from '../../src/outbox/lease-queries.ts';
import { expireLeases } from '../../src/outbox/relay/recover.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';

describe('task leases', () => {
  let database: DatabaseFixture;
  before(async () => {
    database = await openDatabaseFixture();
  });
  after(() => database.close());

  const newTask = async (dueInSeconds = 0): Promise<string> => {
    const project = await database.createProject();
    const [id] = await inProject(database.api, project, (tx) =>
      schedule(tx, project, null, {
        kind: 'object.purge',
        payload: { object_id: newId('object') },
        dueInSeconds,
      }),
    );
    return id!;
  };
  const claim = (id: string) => inTransaction(database.worker, (tx) => claimTask(tx, id));
  const expire = (id: string) =>
    inTransaction(database.worker, (tx) =>
      prepared(tx, `UPDATE task SET lease_until = now() - interval '1 millisecond' WHERE id = $1`, [
        id,
      ]),
    );
  const state = async (id: string) => {
    const [row] = await inTransaction(database.worker, (tx) =>
      prepared<{ crashes: number; last_error: string; later: boolean }>(
        tx,
        'SELECT crashes, last_error, due_at > now() AS later FROM task WHERE id = $1',
        [id],
      ),
    );
    return row;
  };
  const sweep = () => inTransaction(database.relay, expireLeases);

  it('are won by one of many claims', async () => {
    const id = await newTask();
    const claims = await Promise.all([claim(id), claim(id), claim(id), claim(id)]);
    expect(claims.filter((task) => task !== null)).to.have.length(1);
  });

  it('are not given before a task is due by the clock of Postgres', async () => {
    expect(await claim(await newTask(60))).to.equal(null);
  });

  it('are claimed in bulk, each due task once, except tasks that are locked', async () => {
    const ids = await Promise.all([newTask(), newTask(), newTask(60), newTask()]);
    const [free, taken, later, locked] = ids as [string, string, string, string];
    await claim(taken);
    const both = await inTransaction(database.relay, async (tx) => {
      await prepared(tx, 'SELECT FROM task WHERE id = $1 FOR UPDATE', [locked]);
      const all = [free, taken, later, locked, 'tsk_0'];
      return Promise.all([
        inTransaction(database.worker, (other) => claimTasks(other, all)),
        inTransaction(database.worker, (other) => claimTasks(other, all)),
      ]);
    });
    expect(both.flatMap((claimed) => [...claimed.keys()])).to.deep.equal([free]);
    const task = both.flatMap((claimed) => [...claimed.values()])[0]!;
    await inProject(database.worker, task.projectId, (tx) => finishTask(tx, task));
    expect(await claim(locked)).to.not.equal(null);
  });

  it('undo the transaction of a late worker that finishes a task', async () => {
    const id = await newTask();
    const first = (await claim(id))!;
    await expire(id);
    expect(await sweep()).to.equal(1);
    const second = (await claim(id))!;
    expect(second.epoch).to.equal(first.epoch + 1);
    const late = await inProject(database.worker, first.projectId, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO denial (project_id, key_id, code, minute) VALUES ($1, 'k', 'late', now())`,
        [first.projectId],
      );
      await finishTask(tx, first);
    }).catch((error: unknown) => error);
    expect(late).to.be.instanceOf(LeaseLost);
    const written = await inProject(database.worker, first.projectId, (tx) =>
      prepared(tx, `SELECT FROM denial WHERE code = 'late'`, []),
    );
    expect(written).to.have.length(0);
    await inTransaction(database.worker, (tx) => finishTask(tx, second));
    expect(await claim(id)).to.equal(null);
  });

  it('undo statements sent with the end of a task that another worker has', async () => {
    const id = await newTask();
    const first = (await claim(id))!;
    await expire(id);
    await sweep();
    const second = (await claim(id))!;
    const end = (task: typeof first) =>
      inProject(database.worker, task.projectId, async (tx) => {
        sendFinish(tx, task);
        send(
          tx,
          `INSERT INTO denial (project_id, key_id, code, minute) VALUES ($1, 'k', $2, now())`,
          [task.projectId, `epoch ${task.epoch}`],
        );
      });
    const late = await end(first).catch((error: unknown) => error);
    expect(isLeaseLost(late)).to.equal(true);
    await end(second);
    expect(isLeaseLost(await end(second).catch((error: unknown) => error))).to.equal(true);
    const written = await inProject(database.worker, first.projectId, (tx) =>
      prepared<{ code: string }>(tx, `SELECT code FROM denial WHERE code LIKE 'epoch %'`, []),
    );
    expect(written).to.deep.equal([{ code: `epoch ${second.epoch}` }]);
  });

  it('are renewed in bulk, except lost ones, which are reported', async () => {
    const ids = await Promise.all([newTask(), newTask(), newTask(), newTask()]);
    const tasks = (await Promise.all(ids.map(claim))).map((task) => task!);
    const [kept, retaken, gone, ending] = tasks as [
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
    ];
    await expire(retaken.taskId);
    await sweep();
    await claim(retaken.taskId);
    await inTransaction(database.worker, (tx) => finishTask(tx, gone));
    const until = async () =>
      (
        await inTransaction(database.worker, (tx) =>
          prepared<{ until: Date }>(tx, 'SELECT lease_until AS until FROM task WHERE id = $1', [
            kept.taskId,
          ]),
        )
      )[0]!.until.getTime();
    const before = await until();
    const lost = await inTransaction(database.worker, async (tx) => {
      await finishTask(tx, ending);
      return inTransaction(database.worker, (other) => renewLeases(other, tasks));
    });
    expect(lost).to.have.members([retaken, gone]);
    expect(await until()).to.be.above(before);
  });

  it('are ended in bulk if still held under their epochs and not locked', async () => {
    const ids = await Promise.all([newTask(), newTask(), newTask(), newTask()]);
    const tasks = (await Promise.all(ids.map(claim))).map((task) => task!);
    const [held, retaken, given, locked] = tasks as [
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
      ClaimedTask,
    ];
    await expire(retaken.taskId);
    await sweep();
    const again = (await claim(retaken.taskId))!;
    await inTransaction(database.worker, (tx) => releaseTask(tx, given));
    const ended = await inTransaction(database.relay, async (tx) => {
      await prepared(tx, 'SELECT FROM task WHERE id = $1 FOR UPDATE', [locked.taskId]);
      return inTransaction(database.worker, (other) => endTasks(other, [...tasks, { ...held }]));
    });
    // If one task is requested twice, both requests succeed.
    expect(ended.size).to.equal(2);
    expect(ended.has(held)).to.equal(true);
    expect(await inTransaction(database.worker, (tx) => endTasks(tx, tasks))).to.deep.equal(
      new Set([locked]),
    );
    await inTransaction(database.worker, (tx) => finishTask(tx, again));
    expect(await claim(given.taskId)).to.not.equal(null);
  });

  it('are renewed under the same epoch, and not after they are lost', async () => {
    const id = await newTask();
    const task = (await claim(id))!;
    expect(await inTransaction(database.worker, (tx) => renewLeases(tx, [task]))).to.deep.equal([]);
    await expire(id);
    await sweep();
    expect(await inTransaction(database.worker, (tx) => renewLeases(tx, [task]))).to.deep.equal([
      task,
    ]);
  });

  it('count each silent end as a crash, but not a release', async () => {
    const id = await newTask();
    for (const crashes of [0, 1, 2]) {
      expect((await claim(id))!.crashes).to.equal(crashes);
      await expire(id);
      await sweep();
    }
    const task = (await claim(id))!;
    expect(task.crashes).to.equal(3);
    await inTransaction(database.worker, (tx) => releaseTask(tx, task));
    expect((await claim(id))!.crashes).to.equal(3);
  });

  it('end with a postponement and a reason for operators if the task fails', async () => {
    const id = await newTask();
    const task = (await claim(id))!;
    await inTransaction(database.worker, (tx) => failTask(tx, task, 'the disk was full'));
    expect(await state(id)).to.deep.equal({
      crashes: 1,
      last_error: 'the disk was full',
      later: true,
    });
    expect(await claim(id)).to.equal(null);
  });

  it('end with a postponement that counts no crash after a fault of the machine', async () => {
    const id = await newTask();
    const task = (await claim(id))!;
    await inTransaction(database.worker, (tx) => deferTask(tx, task, 'the disk was full'));
    expect(await state(id)).to.deep.equal({
      crashes: 0,
      last_error: 'the disk was full',
      later: true,
    });
    await inTransaction(database.worker, (tx) => deferTask(tx, task, 'too late'));
    expect((await state(id))!.last_error).to.equal('the disk was full');
  });

  it('count no crash if they expire while Postgres is down', async () => {
    const id = await newTask();
    await claim(id);
    await inTransaction(database.worker, (tx) =>
      prepared(
        tx,
        `UPDATE task SET lease_until = pg_postmaster_start_time() - interval '1 second' WHERE id = $1`,
        [id],
      ),
    );
    expect(await sweep()).to.equal(1);
    expect(await claim(id)).to.include({ crashes: 0, lastError: 'Postgres was unavailable' });
  });
});
