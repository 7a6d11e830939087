import { join } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import { inProject } from '../../../../src/db/transaction.ts';
import { schedule } from '../../../../src/outbox/schedule.ts';
import type { Arm } from '../arms.ts';
import type { Bench } from '../bench.ts';
import { openOutbox } from '../outbox.ts';
import { startBuilt, workerEnvironment } from '../programs.ts';
import { expectFrom, startTaskPeer, type TaskPeer, type TaskPeerName } from '../tasks/peers.ts';
import { machineMs } from '../webhooks/receiver.ts';

interface TaskOptions {
  /** Tasks in a turn. */
  tasks: number;
  /** Number of tasks that are added at once. */
  batch: number;
  /** Number of tasks that each worker runs at the same time. */
  slots: number;
  projects: number;
}

/** Whether the tasks of an operation store nothing, or each ends in a separate transaction. */
type StoreMode = 'nothing' | 'something';

/**
 * Starts a worker of this service and one of each peer, in separate processes, and warms them up. Their tasks do
 * nothing; this process adds them from four loops.
 */
export async function openTaskArms<Peer extends TaskPeerName>(
  bench: Bench,
  { tasks, batch, slots, projects: projectCount }: TaskOptions,
  peerNames: readonly Peer[],
): Promise<{ arms: Record<'ours' | 'stored' | Peer, Arm>; close(): Promise<void> }> {
  const warmUp = Math.min(tasks, 5_000);
  const outbox = await openOutbox(bench);
  const worker = startBuilt(
    'worker',
    {
      ...workerEnvironment(bench, { secretKey: outbox.secretKey, queues: 'relay,ocr' }),
      WORKER_SLOTS: String(slots),
    },
    ['--import', join(import.meta.dirname, '../tasks/no-op.mjs')],
  );
  const projects = await Promise.all(
    Array.from({ length: projectCount }, () => bench.createProject()),
  );
  const peers = new Map<Peer, TaskPeer>();
  for (const name of peerNames) peers.set(name, await startTaskPeer(name, bench, slots));
  const close = async (): Promise<void> => {
    await worker.stop();
    for (const peer of peers.values()) await peer.close();
    await outbox.close();
  };

  const addAll = async (count: number, add: (size: number) => Promise<void>): Promise<void> => {
    let remaining = count;
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (remaining > 0) {
          const size = Math.min(batch, remaining);
          remaining -= size;
          await add(size);
        }
      }),
    );
  };

  let next = 0;
  /** Schedules tasks in a transaction, for the next project each time. */
  const scheduleBatch = async (count: number, storeMode: StoreMode): Promise<void> => {
    const projectId = projects[next++ % projects.length]!;
    await inProject(outbox.api, projectId, async (tx) => {
      const operation_index = storeMode === 'nothing' ? 0 : 1;
      const payload = () => ({ job_id: newId('job'), operation_index, op: 'ocr' as const });
      await schedule(
        tx,
        projectId,
        null,
        ...Array.from({ length: count }, () => ({
          kind: 'operation.open' as const,
          payload: payload(),
        })),
      );
    });
    outbox.wake();
  };

  const runService = async (count: number, storeMode: StoreMode): Promise<number> => {
    const { all } = await expectFrom(worker.process, count);
    const start = machineMs();
    await addAll(count, (size) => scheduleBatch(size, storeMode));
    const rate = (count * 1_000) / ((await all) - start);
    // A task that has ended has no row.
    const [row] = await bench.query<{ left: number }>(
      `SELECT count(*)::integer AS left FROM task WHERE queue = 'ocr'`,
    );
    if (row!.left > 0) throw new Error(`${row!.left} tasks are left.`);
    return rate;
  };

  const runPeer = async (peer: TaskPeer, count: number): Promise<number> => {
    const { all } = await peer.expect(count);
    const start = machineMs();
    await addAll(count, (size) => peer.add(size));
    return (count * 1_000) / ((await all) - start);
  };

  const arm = (pid: number, run: (count: number) => Promise<number>): Arm => ({
    processes: {
      bench: [process.pid],
      worker: [pid],
      Postgres: [bench.postgresPid],
      Redis: [bench.redisPid],
    },
    run: async () => ({ operations: tasks, rate: await run(tasks) }),
  });

  try {
    await runService(warmUp, 'nothing');
    await runService(warmUp, 'something');
    for (const peer of peers.values()) await runPeer(peer, warmUp);
    await bench.analyze();
  } catch (error) {
    await close();
    throw error;
  }
  const peerArms = [...peers].map(([name, peer]) => [
    name,
    arm(peer.pid, (count) => runPeer(peer, count)),
  ]);
  return {
    arms: {
      ...(Object.fromEntries(peerArms) as Record<Peer, Arm>),
      ours: arm(worker.pid, (count) => runService(count, 'nothing')),
      stored: arm(worker.pid, (count) => runService(count, 'something')),
    },
    close,
  };
}
