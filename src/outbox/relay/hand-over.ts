import type { Queue } from 'bullmq';
import { type QueueName, queueNames } from '../../contracts/queues.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import { countOut, type Hint, type Queues } from '../../queues/hints.ts';
import { isPaused } from '../pause.ts';
import { type HandedTask, inOrder, releaseTasks, takeDueTasks } from './due-tasks.ts';
import {
  claimEndpoints,
  type HandedEndpoint,
  markHanded,
  releaseEndpoints,
} from './hand-over-endpoints.ts';

/** Hints that may be out at once for each slot of a live worker. */
export const hintsPerSlot = 4;
/** A worker that was not heard of for this long does not count. */
export const workerSilence = '15 seconds';
const batchSize = 250;
const addsInFlight = 4;

/** The queues that work is handed to: all but the relay's own. */
export type WorkQueue = Exclude<QueueName, 'relay'>;
export const workQueues = queueNames.filter((name): name is WorkQueue => name !== 'relay');

/** A hint, and the row that it was made for: a task, or an endpoint. */
interface Handed {
  hint: Hint;
  jobId: string;
  id: string;
  /** Null for an endpoint: each of its deliveries goes back to a request of its own. */
  task: HandedTask | null;
}

/**
 * Hands due work of a queue to its workers as hints, round robin by project, up to four hints for
 * each live slot; the rest waits in Postgres, where it is counted and ordered. A hint of the
 * webhooks' queue stands for an endpoint that has something due, each other one for a task.
 * @param tell is told of tasks once their hints are there
 * @returns how many hints were given
 */
export async function handOver(
  database: Database,
  queues: Queues,
  queueName: WorkQueue,
  tell: (tasks: HandedTask[]) => void = () => undefined,
): Promise<number> {
  const claim = queueName === 'webhooks' ? claimEndpointHints : claimTaskHints;
  let room: number | undefined;
  let handed = 0;
  const adding = new Set<Promise<void>>();
  let failure: unknown;
  const out = queueName === 'webhooks' ? null : await countOut(queues[queueName]);
  while (room !== 0 && !failure) {
    let asked = 0;
    const batch: Handed[] = await inTransaction(database, async (tx) => {
      room ??= await roomOf(tx, queueName, out);
      asked = Math.min(room, batchSize);
      return asked > 0 ? claim(tx, queueName, asked) : [];
    });
    if (batch.length === 0) break;
    room = Math.max(0, (room ?? 0) - batch.length);
    handed += batch.length;
    const add = addHints(database, queues[queueName], batch)
      .then(() => tell(batch.flatMap(({ task }) => task ?? [])))
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => adding.delete(add));
    adding.add(add);
    if (adding.size >= addsInFlight) await Promise.race(adding);
    // Fewer than asked for: there is no more just now.
    if (batch.length < asked) break;
  }
  await Promise.all(adding);
  if (failure) throw failure;
  return handed;
}

/** The queues that have work to hand over: tasks that are due, or deliveries, due or not. */
export async function waitingQueues(tx: Tx): Promise<WorkQueue[]> {
  inOrder(tx);
  const rows = await prepared<{ queue: WorkQueue }>(
    tx,
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE NOT ${isPaused('q.queue')} AND CASE WHEN q.queue = 'webhooks'
       THEN EXISTS (SELECT FROM due_delivery WHERE lease_until IS NULL)
       ELSE (SELECT true FROM task t
         WHERE t.queue = q.queue AND t.state = 'pending' AND t.due_at <= now() AND t.handed_at IS NULL
         ORDER BY t.due_at LIMIT 1) END`,
    [workQueues],
  );
  return rows.map(({ queue }) => queue);
}

/** Hands endpoints over that something became due for, without looking for what else is due. */
export async function handOverEndpoints(
  database: Database,
  queues: Queues,
  endpointIds: readonly string[],
): Promise<void> {
  await giveHints(
    database,
    queues,
    await inTransaction(database, (tx) => markHanded(tx, endpointIds)),
  );
}

/** Gives the hints of endpoints that are marked as handed over. */
export async function giveHints(
  database: Database,
  queues: Queues,
  handed: readonly HandedEndpoint[],
): Promise<void> {
  if (handed.length > 0) await addHints(database, queues.webhooks, handed.map(hintOfEndpoint));
}

/** Adds hints; those that cannot be added are taken back. */
async function addHints(database: Database, queue: Queue, batch: Handed[]): Promise<void> {
  try {
    await queue.addBulk(
      batch.map(({ hint, jobId }) => ({ name: queue.name, data: hint, opts: { jobId } })),
    );
  } catch (error) {
    const release = queue.name === 'webhooks' ? releaseEndpoints : releaseTasks;
    const ids = batch.map(({ id }) => id);
    // What cannot be taken back either is found by the sweeper.
    await inTransaction(database, (tx) => release(tx, ids)).catch(() => undefined);
    throw error;
  }
}

/**
 * How many more hints a queue may hold; none while it is paused. Hints of tasks are counted where they
 * are, in Redis: one that was lost takes nobody's place.
 */
async function roomOf(tx: Tx, queue: QueueName, out: number | null): Promise<number> {
  const [row] = await prepared<{ slots: number; outstanding: number }>(
    tx,
    `SELECT
       (SELECT coalesce(sum(slots), 0)::integer FROM worker
        WHERE NOT ${isPaused('$1')} AND queue = $1 AND seen_at > now() - interval '${workerSilence}') AS slots,
       coalesce($2, (SELECT count(*)::integer FROM webhook_flow WHERE handed_at IS NOT NULL)) AS outstanding`,
    [queue, out],
  );
  return Math.max(0, row!.slots * hintsPerSlot - row!.outstanding);
}

async function claimTaskHints(tx: Tx, queue: QueueName, limit: number): Promise<Handed[]> {
  return (await takeDueTasks(tx, queue, limit)).map((task) => ({
    hint: { task_id: task.id },
    jobId: taskHintId(task.id, task.handed_ms),
    id: task.id,
    task,
  }));
}

/** The identifier of the hint that a hand-over made: the sweeper asks Redis whether it is there. */
export function taskHintId(taskId: string, handedMs: number): string {
  return `${taskId}-${handedMs}`;
}

async function claimEndpointHints(tx: Tx, _queue: QueueName, limit: number): Promise<Handed[]> {
  return (await claimEndpoints(tx, limit)).map(hintOfEndpoint);
}

function hintOfEndpoint({ endpoint_id, handed_ms }: HandedEndpoint): Handed {
  return {
    hint: { endpoint_id },
    jobId: `${endpoint_id}-${handed_ms}`,
    id: endpoint_id,
    task: null,
  };
}
