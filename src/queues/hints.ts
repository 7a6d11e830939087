import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import { Queue } from 'bullmq';
import { prefixOf, type Redis } from './connection.ts';

/** The data of a BullMQ job: a task that is due, or an endpoint with due deliveries. */
export type Hint = { task_id: string } | { endpoint_id: string };

export type Queues = Record<QueueName, Queue>;

/**
 * How many processed hints are retained for operators. They decide nothing: every hand-over has its
 * own identifier, so a retained job never blocks a new hint.
 */
const retention = { removeOnComplete: { count: 200 }, removeOnFail: { count: 200 } };

/** Opens all queues for adding, over one connection that fails fast. */
export function openQueues(redis: Redis): Queues {
  return Object.fromEntries(
    queueNames.map((name) => {
      const queue = new Queue(name, {
        connection: redis,
        prefix: prefixOf(redis),
        defaultJobOptions: retention,
        skipVersionCheck: true,
        skipMetasUpdate: true,
      });
      // The connection logs errors; without a listener an outage would end the process.
      queue.on('error', () => undefined);
      return [name, queue];
    }),
  ) as Queues;
}

/** Closes the queues; the caller keeps the connection. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close().catch(() => undefined)));
}

/** The number of hints of a queue that wait, and that workers are processing. */
export interface QueueHints {
  waiting: number;
  active: number;
}

/** Counts the hints of a queue. */
export async function countQueueHints(queue: Queue): Promise<QueueHints> {
  const {
    waiting = 0,
    prioritized = 0,
    active = 0,
  } = await queue.getJobCounts('waiting', 'prioritized', 'active');
  return { waiting: waiting + prioritized, active };
}

/** The hints of each queue. */
export type HintCounts = Record<QueueName, QueueHints>;

/** Counts the hints of every queue. */
export async function countHints(queues: Queues): Promise<HintCounts> {
  const counts = await Promise.all(
    queueNames.map(async (name) => [name, await countQueueHints(queues[name])] as const),
  );
  return Object.fromEntries(counts) as HintCounts;
}

/**
 * Removes the failed hints of a task that runs again, so that the board shows only failures that are
 * not retried yet.
 */
export async function removeFailed(queue: Queue, taskId: string): Promise<void> {
  const failed = await queue.getFailed(0, retention.removeOnFail.count);
  const taskHints = failed.filter((job) => job?.data.task_id === taskId);
  await Promise.all(taskHints.map((job) => job.remove()));
}
