import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { Queue } from 'bullmq';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { startChild } from '../children.ts';
import { loadGraphileWorker, openPgBoss } from './installed.ts';

/** A queue to compare with: its worker is a separate process, and the benchmark adds its tasks. */
export interface TaskPeer {
  pid: number;
  /** Adds this many tasks at once. */
  add(count: number): Promise<void>;
  /** The inner promise resolves when this many are done, with the time by `machineMs`. */
  expect(count: number): Promise<{ all: Promise<number> }>;
  close(): Promise<void>;
}

export type TaskPeerName = 'bullmq' | 'pg-boss' | 'graphile-worker';

/** How tasks are added to a queue. */
interface TaskAdder {
  add(count: number): Promise<void>;
  close(): Promise<void>;
}

const adderFactories: Record<TaskPeerName, (bench: Bench) => Promise<TaskAdder>> = {
  async bullmq(bench) {
    const queue = new Queue('tasks', {
      connection: { url: bench.redisUrl },
      prefix: 'naive',
      defaultJobOptions: { removeOnComplete: true },
    });
    const job = { name: 'task', data: { job_id: 'job', operation_index: 0 } };
    return {
      async add(count) {
        await queue.addBulk(Array.from({ length: count }, () => job));
      },
      close: () => queue.close(),
    };
  },
  async 'pg-boss'(bench) {
    const boss = await openPgBoss(bench.benchSuperuserUrl, 4);
    await boss.createQueue('tasks');
    const job = { name: 'tasks', data: { job_id: 'job', operation_index: 0 } };
    return {
      async add(count) {
        await boss.insert(Array.from({ length: count }, () => job));
      },
      close: () => boss.stop({ graceful: false }),
    };
  },
  async 'graphile-worker'(bench) {
    const { runMigrations } = await loadGraphileWorker();
    await runMigrations({ connectionString: bench.benchSuperuserUrl });
    const database = new pg.Pool({ connectionString: bench.benchSuperuserUrl, max: 4 });
    return {
      async add(count) {
        await database.query(
          `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
             SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object(
               'identifier', 'tasks', 'payload', json_build_object('job_id', 'job', 'operation_index', 0)))
             FROM generate_series(1, $1)))`,
          [count],
        );
      },
      close: () => database.end(),
    };
  },
};

export async function startTaskPeer(
  name: TaskPeerName,
  bench: Bench,
  slots: number,
): Promise<TaskPeer> {
  const { add, close } = await adderFactories[name](bench);
  const child = await startChild('tasks/peer-process.ts', {
    PEER: name,
    SLOTS: String(slots),
    DATABASE_URL: bench.benchSuperuserUrl,
    REDIS_URL: bench.redisUrl,
  });
  return {
    pid: child.pid,
    add,
    expect: (count) => expectFrom(child.process, count),
    close: closeAll,
  };

  async function closeAll(): Promise<void> {
    await child.kill();
    await close();
  }
}

/** Tells a worker's process how many tasks to count; `all` resolves when they are done. */
export async function expectFrom(
  worker: ChildProcess,
  count: number,
): Promise<{ all: Promise<number> }> {
  const ready = nextWith(worker, 'ready');
  worker.send({ expect: count });
  await ready;
  return { all: nextWith(worker, 'at').then(Number) };
}

/**
 * The next message that has a field, and its value. This service's workers also report the progress
 * of their start.
 */
async function nextWith(worker: ChildProcess, field: string): Promise<unknown> {
  for await (const [message] of on(worker, 'message', { close: ['exit'] })) {
    if (field in message) return message[field];
  }
  throw new Error(`The worker ended before it sent '${field}'.`);
}
