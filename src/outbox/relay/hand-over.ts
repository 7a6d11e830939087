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
import { countQueueHints, type Hint, type QueueHints, type Queues } from '../../queues/hints.ts';
import { isPausedSql } from '../pause.ts';
import {
  type HandedTask,
  readInIndexOrder,
  releaseTasks,
  takeDueTasks,
} from './due-task-queries.ts';
import type { EndpointQueue, HandedEndpoint } from './webhooks.ts';

const batchSize = 250;
const maxConcurrentAdds = 4;
/** Maximum number of processed hints of a batch that Redis keeps for operators. */
const retainedPerBatch = 10;

/** Queues whose hints stand for tasks; those of `webhooks` stand for endpoints. */
type TaskQueue = Exclude<QueueName, 'webhooks'>;

/** A hint to add, and the identifier of its task or endpoint. */
interface NewHint {
  hint: Hint;
  jobId: string;
  id: string;
}

/** Takes back tasks or endpoints whose hints could not be added. */
type Release = (tx: Tx, ids: string[]) => Promise<unknown>;

/**
 * Hands due tasks of a queue to its workers as hints, round robin by project, up to four hints for
 * each live slot; other tasks wait in Postgres, where they are counted and ordered. Hints are counted
 * in Redis, so that lost hints take up no capacity.
 * @param notify called with tasks once their hints are added
 * @returns how many hints were added, and whether more than these were already waiting
 */
export async function handOverTasks(
  database: Database,
  queues: Queues,
  queue: TaskQueue,
  notify: (tasks: HandedTask[]) => void = () => undefined,
): Promise<{ hints: number; early: boolean }> {
  let counts: QueueHints | undefined;
  let added = 0;
  const hints = await addBatches(
    async () => {
      counts ??= await countQueueHints(queues[queue]);
      const { waiting, active } = counts;
      const tasks = await inOnePacket(database, (tx) =>
        takeDueTasks(tx, queue, { max: batchSize, waiting: waiting + added, active }),
      );
      added += tasks.length;
      // Fewer than requested: the workers have no more capacity, or nothing more is due.
      return { batch: tasks, isLast: tasks.length < batchSize };
    },
    async (tasks) => {
      await addHints(database, queues[queue], tasks.map(hintOfTask), releaseTasks);
      notify(tasks);
    },
  );
  return { hints, early: hints < (counts?.waiting ?? 0) };
}

/**
 * Hands over endpoints with due deliveries, up to four for each live slot of their queue.
 * @returns how many hints were added
 */
export async function handOverEndpoints(
  database: Database,
  queues: Queues,
  endpoints: EndpointQueue,
): Promise<number> {
  let capacity: number | undefined;
  return addBatches(
    async () => {
      capacity ??= await inReadTransaction(database, (tx) => endpoints.capacity(tx));
      const limit = Math.min(capacity, batchSize);
      if (limit === 0) return { batch: [], isLast: true };
      const batch = await inOnePacket(database, (tx) => endpoints.claim(tx, limit));
      capacity -= batch.length;
      return { batch, isLast: batch.length < limit };
    },
    (batch) => addEndpointHints(database, queues, endpoints, batch),
  );
}

/** Adds batches until there are no more, several at a time. Returns how many were added. */
async function addBatches<T>(
  next: () => Promise<{ batch: T[]; isLast: boolean }>,
  add: (batch: T[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  const adding = new Set<Promise<void>>();
  let failure: unknown;
  while (!failure) {
    const { batch, isLast } = await next();
    if (batch.length === 0) break;
    count += batch.length;
    const added = add(batch)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => adding.delete(added));
    adding.add(added);
    if (adding.size >= maxConcurrentAdds) await Promise.race(adding);
    if (isLast) break;
  }
  await Promise.all(adding);
  if (failure) throw failure;
  return count;
}

/** The queues that have work to hand over: due tasks, or deliveries, due or not. */
export async function waitingQueues(
  tx: Tx,
  endpoints: Pick<EndpointQueue, 'waiting'>,
): Promise<QueueName[]> {
  readInIndexOrder(tx);
  const rows = await prepared<{ queue: QueueName }>(
    tx,
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE NOT ${isPausedSql('q.queue')} AND CASE WHEN q.queue = 'webhooks'
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

/** Adds hints. If that fails, releases their tasks or endpoints. */
async function addHints(
  database: Database,
  queue: Queue,
  batch: readonly NewHint[],
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
    // If the release fails too, `recoverUnclaimed` finds them.
    await inTransaction(database, (tx) => release(tx, ids)).catch(() => undefined);
    throw error;
  }
}

function hintOfTask(task: HandedTask): NewHint {
  return { hint: { task_id: task.id }, jobId: taskHintId(task.id, task.handed_ms), id: task.id };
}

/** The identifier of the hint of a hand-over, by which `recoverUnclaimed` looks it up in Redis. */
export function taskHintId(taskId: string, handedMs: number): string {
  return `${taskId}-${handedMs}`;
}

function hintOfEndpoint(handed: HandedEndpoint): NewHint {
  const { endpoint_id: id } = handed;
  return { hint: { endpoint_id: id }, jobId: endpointHintId(handed), id };
}

/** The identifier of the hint of an endpoint's hand-over. */
export function endpointHintId({ endpoint_id, handed_ms }: HandedEndpoint): string {
  return `${endpoint_id}-${handed_ms}`;
}
