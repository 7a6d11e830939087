import { type QueueName, queueNames } from '@scriptorium/contracts/work/queues';
import type { Queue } from 'bullmq';
import type { Database } from '../../db/database.ts';
import {
  inOnePacket,
  inReadTransaction,
  inTransaction,
  prepared,
  type Tx,
} from '../../db/transaction.ts';
import { countOut, type Hint, type OutHints, type Queues } from '../../queues/hints.ts';
import { isPaused } from '../pause.ts';
import {
  type HandedTask,
  readInIndexOrder,
  releaseTasks,
  takeDueTasks,
} from './due-task-queries.ts';
import type { EndpointQueue, HandedEndpoint } from './webhooks.ts';

const batchSize = 250;
const addsInFlight = 4;
/** Of a larger batch only this many hints are kept for operators once they are done: each costs Redis. */
const retainedPerBatch = 10;

/** A hint of the webhooks' queue stands for an endpoint that has something due, any other for a task. */
type TaskQueue = Exclude<QueueName, 'webhooks'>;

/** A hint, and the identifier of the task or endpoint that it was made for. */
interface Handed {
  hint: Hint;
  jobId: string;
  id: string;
}

/** Takes back tasks or endpoints whose hints could not be added. */
type Release = (tx: Tx, ids: string[]) => Promise<unknown>;

/**
 * Hands due tasks of a queue to its workers as hints, round robin by project, up to four hints for
 * each live slot; the rest waits in Postgres, where it is counted and ordered. Hints are counted in
 * Redis, so that a lost one does not take up room.
 * @param notify is called with tasks once their hints are added
 * @returns how many hints were added, and whether more than these were already waiting for workers
 */
export async function handOverTasks(
  database: Database,
  queues: Queues,
  queue: TaskQueue,
  notify: (tasks: HandedTask[]) => void = () => undefined,
): Promise<{ hints: number; early: boolean }> {
  let found: OutHints | undefined;
  let added = 0;
  const hints = await addBatches(
    async () => {
      found ??= await countOut(queues[queue]);
      const { waiting, active } = found;
      const tasks = await inOnePacket(database, (tx) =>
        takeDueTasks(tx, queue, { max: batchSize, waiting: waiting + added, active }),
      );
      added += tasks.length;
      // Fewer than asked for: there is no more room, or nothing more is due.
      return { batch: tasks, isLast: tasks.length < batchSize };
    },
    async (tasks) => {
      await addHints(database, queues[queue], tasks.map(hintOfTask), releaseTasks);
      notify(tasks);
    },
  );
  return { hints, early: hints < (found?.waiting ?? 0) };
}

/**
 * Hands over endpoints that have something due, up to four for each live slot of their queue.
 * @returns how many hints were added
 */
export async function handOverEndpoints(
  database: Database,
  queues: Queues,
  endpoints: EndpointQueue,
): Promise<number> {
  let room: number | undefined;
  return addBatches(
    async () => {
      room ??= await inReadTransaction(database, (tx) => endpoints.room(tx));
      const asked = Math.min(room, batchSize);
      if (asked === 0) return { batch: [], isLast: true };
      const batch = await inOnePacket(database, (tx) => endpoints.claim(tx, asked));
      room -= batch.length;
      return { batch, isLast: batch.length < asked };
    },
    (batch) => addEndpointHints(database, queues, endpoints, batch),
  );
}

/** Adds batches until there are no more, several at a time. Returns how many were added. */
async function addBatches<T>(
  next: () => Promise<{ batch: T[]; isLast: boolean }>,
  add: (batch: T[]) => Promise<void>,
): Promise<number> {
  let handed = 0;
  const adding = new Set<Promise<void>>();
  let failure: unknown;
  while (!failure) {
    const { batch, isLast } = await next();
    if (batch.length === 0) break;
    handed += batch.length;
    const added = add(batch)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => adding.delete(added));
    adding.add(added);
    if (adding.size >= addsInFlight) await Promise.race(adding);
    if (isLast) break;
  }
  await Promise.all(adding);
  if (failure) throw failure;
  return handed;
}

/** The queues that have work to hand over: due tasks, or deliveries, due or not. */
export async function waitingQueues(
  tx: Tx,
  endpoints: Pick<EndpointQueue, 'waiting'>,
): Promise<QueueName[]> {
  readInIndexOrder(tx);
  const rows = await prepared<{ queue: QueueName }>(
    tx,
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE NOT ${isPaused('q.queue')} AND CASE WHEN q.queue = 'webhooks'
       THEN ${endpoints.waiting}
       ELSE (SELECT true FROM task t
         WHERE t.queue = q.queue AND t.state = 'pending' AND t.due_at <= now() AND t.handed_at IS NULL
         ORDER BY t.due_at LIMIT 1) END`,
    [queueNames],
  );
  return rows.map(({ queue }) => queue);
}

/** Adds the hints of endpoints that are marked as handed over. */
export async function addEndpointHints(
  database: Database,
  queues: Queues,
  endpoints: Pick<EndpointQueue, 'release'>,
  handed: readonly HandedEndpoint[],
): Promise<void> {
  if (handed.length === 0) return;
  await addHints(database, queues.webhooks, handed.map(hintOfEndpoint), endpoints.release);
}

/** Adds hints; those that cannot be added are taken back. */
async function addHints(
  database: Database,
  queue: Queue,
  batch: readonly Handed[],
  release: Release,
): Promise<void> {
  try {
    await queue.addBulk(
      batch.map(({ hint, jobId }, at) => ({
        name: queue.name,
        data: hint,
        opts: at < retainedPerBatch ? { jobId } : { jobId, removeOnComplete: true },
      })),
    );
  } catch (error) {
    const ids = batch.map(({ id }) => id);
    // `recoverUnclaimed` finds what cannot be taken back either.
    await inTransaction(database, (tx) => release(tx, ids)).catch(() => undefined);
    throw error;
  }
}

function hintOfTask(task: HandedTask): Handed {
  return { hint: { task_id: task.id }, jobId: taskHintId(task.id, task.handed_ms), id: task.id };
}

/** The identifier of the hint of a hand-over, by which `recoverUnclaimed` looks it up in Redis. */
export function taskHintId(taskId: string, handedMs: number): string {
  return `${taskId}-${handedMs}`;
}

function hintOfEndpoint(handed: HandedEndpoint): Handed {
  const { endpoint_id: id } = handed;
  return { hint: { endpoint_id: id }, jobId: endpointHintId(handed), id };
}

/** The same for an endpoint. */
export function endpointHintId({ endpoint_id, handed_ms }: HandedEndpoint): string {
  return `${endpoint_id}-${handed_ms}`;
}
