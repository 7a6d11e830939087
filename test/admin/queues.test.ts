import { expect } from 'chai';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { claimTask, finishTask } from '../../src/outbox/lease-queries.ts';
import { handOverTasks, waitingQueues } from '../../src/outbox/relay/hand-over.ts';
import { recoverUnclaimed, recoverWipedRedis } from '../../src/outbox/relay/recover.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, type Redis } from '../../src/queues/connection.ts';
import { closeQueues, openQueues, type Queues } from '../../src/queues/hints.ts';
import { endpointQueue, markHandedOver } from '../../src/webhooks/relay/hand-over.ts';
import { openAdmin, type TestAdmin } from '../support/admin.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../support/database-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { startPrivateRedis, type TestRedis } from '../support/services.ts';

describe('the command line for queues and tasks', () => {
  let database: DatabaseFixture;
  let server: TestRedis;
  let redis: Redis;
  let queues: Queues;
  let admin: TestAdmin;
  let project: string;
  before(async () => {
    database = await openDatabaseFixture();
    server = await startPrivateRedis();
    redis = connectFailFast(server.url, createLogger('silent', 'test'));
    await new Promise((resolve) => redis.once('ready', resolve));
    queues = openQueues(redis);
    admin = openAdmin(database.urls, { redisUrl: server.url });
    project = await database.createProject();
  });
  after(async () => {
    await closeQueues(queues);
    redis.disconnect();
    await server.remove();
    await database.close();
  });
  beforeEach(async () => {
    await redis.flushall();
    await inTransaction(database.owner, (tx) => prepared(tx, 'DELETE FROM queue_pause', []));
    await inTransaction(database.relay, (tx) => prepared(tx, 'DELETE FROM task', []));
    await inTransaction(database.worker, (tx) => prepared(tx, 'DELETE FROM worker', []));
  });

  const startWorker = (slots: number) =>
    inTransaction(database.worker, (tx) =>
      prepared(tx, `INSERT INTO worker (id, queue, slots) VALUES ('w', 'maintenance', $1)`, [
        slots,
      ]),
    );
  const addTasks = (n: number, dueInSeconds = 0) =>
    inProject(database.api, project, (tx) =>
      schedule(
        tx,
        project,
        project,
        ...Array.from({ length: n }, () => ({
          kind: 'project.tidy' as const,
          payload: {},
          dueInSeconds,
        })),
      ),
    );
  const change = (id: string, set: string) =>
    inTransaction(database.relay, (tx) =>
      prepared(tx, `UPDATE task SET ${set} WHERE id = $1`, [id]),
    );
  const claim = (id: string) => inTransaction(database.worker, (tx) => claimTask(tx, id));
  const handedOver = async () => (await handOverTasks(database.relay, queues, 'maintenance')).hints;
  const maintenance = async () => {
    const { queues: all } = await admin.json(0, 'queue', 'list');
    return (all as { queue: string }[]).find(({ queue }) => queue === 'maintenance');
  };

  it('shows the waiting and running tasks, workers and hints of each queue', async () => {
    await startWorker(2);
    const [first] = await addTasks(3);
    await addTasks(1, 3_600);
    await handedOver();
    await claim(first!);
    expect(await maintenance()).to.deep.include({
      due: 2,
      later: 1,
      running: 1,
      workers: 1,
      slots: 2,
      paused_at: null,
      hints: { waiting: 3, active: 0 },
    });
    const { stdout } = await admin.run('queue', 'list');
    expect(stdout).to.match(
      /^QUEUE +STATE +DUE .*\n(.*\n)*maintenance +active +2 +\d+ s +1 +1 +1 +2 +3 +0\n/m,
    );
  });

  it('shows what Postgres knows if Redis is unavailable', async () => {
    const alone = openAdmin(database.urls);
    const told = await alone.json(0, 'queue', 'list');
    expect(told.redis).to.equal(false);
    expect((await alone.run('queue', 'list')).stdout).to.include('does not respond');
  });

  it('pauses a queue: nothing is handed over or claimed, even after a Redis flush', async () => {
    await startWorker(4);
    const [early] = await addTasks(1);
    expect(await handedOver()).to.equal(1);
    const paused = await admin.json(0, 'queue', 'pause', 'maintenance', '--reason', 'disk');
    expect(paused).to.deep.equal({ queue: 'maintenance', paused: true, changed: true });
    expect(await maintenance()).to.include({ pause_reason: 'disk' });
    const [late] = await addTasks(1);
    expect(await handedOver()).to.equal(0);
    expect(
      await inTransaction(database.relay, (tx) => waitingQueues(tx, endpointQueue)),
    ).to.deep.equal([]);
    expect(await claim(early!)).to.equal(null);
    await redis.flushall();
    await recoverWipedRedis(database.relay, redis, endpointQueue);
    await recoverUnclaimed(database.relay, queues, endpointQueue);
    expect(await handedOver()).to.equal(0);
    expect(await claim(late!)).to.equal(null);

    await admin.json(0, 'queue', 'resume', 'maintenance');
    expect(await handedOver()).to.equal(2);
    expect(await claim(early!)).to.not.equal(null);
    const again = await admin.json(0, 'queue', 'resume', 'maintenance');
    expect(again.changed).to.equal(false);
  });

  it('hands tasks over at once after a pause if they were handed over before it', async () => {
    await startWorker(4);
    await addTasks(2);
    expect(await handedOver()).to.equal(2);
    await admin.json(0, 'queue', 'pause', 'maintenance');
    await admin.json(0, 'queue', 'resume', 'maintenance');
    expect(await handedOver()).to.equal(2);
  });

  it('pauses webhooks: no endpoint is handed over or served', async () => {
    await inProject(database.api, project, async (tx) => {
      await prepared(
        tx,
        `INSERT INTO webhook_endpoint (id, project_id, url, event_types, state, secrets)
         VALUES ('whk_1', $1, 'https://a.example/?token=x', '{*}', 'enabled', '[]')`,
        [project],
      );
      await prepared(
        tx,
        `INSERT INTO webhook_flow (endpoint_id, project_id) VALUES ('whk_1', $1)`,
        [project],
      );
    });
    const tell = () => inTransaction(database.relay, (tx) => markHandedOver(tx, ['whk_1']));
    await admin.json(0, 'queue', 'pause', 'webhooks');
    expect(await tell()).to.deep.equal([]);
    await admin.json(0, 'queue', 'resume', 'webhooks');
    expect(await tell()).to.have.length(1);
  });

  it('lists unhealthy endpoints without the contents of their URLs', async () => {
    expect((await admin.run('webhook', 'list')).stdout).to.equal('All webhooks are healthy.\n');
    await inTransaction(database.relay, (tx) =>
      prepared(
        tx,
        `UPDATE webhook_flow SET hold_seconds = 10, held_until = now() + interval '10 seconds',
           failing_since = now(), failures_in_row = 7, last_error = '{"code": "timeout", "message": "m"}'`,
        [],
      ),
    );
    const { webhooks } = await admin.json(0, 'webhook', 'list');
    expect(webhooks).to.have.length(1);
    expect((webhooks as object[])[0]).to.deep.include({
      id: 'whk_1',
      circuit: 'open',
      failures_in_row: 7,
      origin: 'https://a.example',
    });
    const { stdout } = await admin.run('webhook', 'list');
    expect(stdout)
      .to.match(/whk_1 .* open .* timeout/)
      .and.not.include('token');
  });

  it('drains a queue: pauses it, reports the running tasks and waits for them', async () => {
    const [id] = await addTasks(1);
    const task = await claim(id!);
    const late = await admin.run('queue', 'drain', 'maintenance', '--timeout', '1');
    expect(late).to.deep.equal({
      code: 3,
      stdout: 'Timeout: queue maintenance still has 1 running task and remains paused.\n',
      stderr: 'maintenance: 1 running task\n',
    });
    const draining = admin.run('queue', 'drain', 'maintenance');
    await eventually(async () => (await maintenance()) !== undefined);
    await inProject(database.worker, project, (tx) => finishTask(tx, task!));
    const drained = await draining;
    expect(drained.code).to.equal(0);
    expect(drained.stdout).to.include('maintenance is drained');
    expect(await maintenance()).to.include({ running: 0, pause_reason: 'drained' });
  });

  it('explains why each task is stuck', async () => {
    expect((await admin.run('task', 'list')).stdout).to.equal('No tasks are stuck.\n');
    const [lapsed, crashed, doomed, unclaimed, forgotten, fine] = await addTasks(6);
    const reasons = async () => {
      const { tasks } = await admin.json(0, 'task', 'list', '--queue', 'maintenance');
      return Object.fromEntries(
        (tasks as { id: string; reason: string }[]).map(({ id, reason }) => [id, reason]),
      );
    };
    expect(new Set(Object.values(await reasons()))).to.deep.equal(new Set(['no_worker']));
    await startWorker(2);
    await claim(lapsed!);
    await change(lapsed!, `lease_until = now() - interval '1 second'`);
    await change(crashed!, `crashes = 1, last_error = 'Error: of its own'`);
    await change(doomed!, 'crashes = 3');
    await change(unclaimed!, `handed_at = now() - interval '31 seconds'`);
    await change(forgotten!, `due_at = now() - interval '61 seconds'`);
    expect(await reasons()).to.deep.equal({
      [lapsed!]: 'lease_ran_out',
      [crashed!]: 'crashed',
      [doomed!]: 'gave_up_next',
      [unclaimed!]: 'not_claimed',
      [forgotten!]: 'not_handed_over',
    });
    const told = await admin.run('task', 'list', '--project', project);
    expect(told.stdout)
      .to.include('Error: of its own')
      .and.include('check that a relay is running');
    await admin.run('queue', 'pause', 'maintenance');
    expect((await reasons())[fine!]).to.equal('queue_paused');
  });

  it('omits tasks that only wait for their turn', async () => {
    await startWorker(1);
    const ids = await addTasks(6);
    await handedOver();
    for (const id of ids) await change(id, `due_at = now() - interval '2 minutes'`);
    expect((await admin.run('task', 'list')).stdout).to.equal('No tasks are stuck.\n');
  });

  it('shows a task and resets its attempts, unless a worker has it', async () => {
    const [id] = await addTasks(1, 3_600);
    await change(id!, `crashes = 3, last_error = 'e'`);
    expect(await admin.json(0, 'task', 'show', id!)).to.include({
      id,
      crashes: 3,
      last_error: 'e',
    });
    expect((await admin.run('task', 'show', id!)).stdout).to.include('project.tidy');
    expect(await admin.json(0, 'task', 'retry', id!)).to.deep.equal({
      task_id: id,
      state: 'pending',
    });
    const task = await claim(id!);
    expect(task).to.include({ crashes: 0, lastError: null });
    const rejected = await admin.run('task', 'retry', id!);
    expect(rejected).to.deep.include({ code: 1, stdout: '' });
    expect(rejected.stderr).to.include('held by a worker');
    expect((await admin.run('task', 'show', 'tsk_0')).stderr).to.include(
      "Task 'tsk_0' was not found",
    );
  });

  it('rejects an unknown queue and names the existing ones', async () => {
    const told = await admin.run('queue', 'pause', 'relay');
    expect(told.code).to.equal(2);
    expect(told.stderr).to.match(/Unknown queue 'relay'\. Expected one of: webhooks, ocr, .*\n$/);
  });
});
