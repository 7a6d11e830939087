import type { Queue } from 'bullmq';
import { type QueueName, queueNames } from '../../contracts/queues.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import type { Hint, Queues } from '../../queues/hints.ts';
import { isPaused } from '../pause.ts';
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

/** A task whose hint is with its workers. */
export interface HandedTask {
  id: string;
  project_id: string;
  kind: string;
  request_id: string | null;
  trace_parent: string | null;
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
  const claim = queueName === 'webhooks' ? claimEndpointHints : claimTasks;
  let room: number | undefined;
  let handed = 0;
  const adding = new Set<Promise<void>>();
  let failure: unknown;
  while (room !== 0 && !failure) {
    let asked = 0;
    const batch: Handed[] = await inTransaction(database, async (tx) => {
      room ??= await roomOf(tx, queueName);
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

/** The queues that have work waiting, due or not: only those are worth a hand-over. */
export async function waitingQueues(tx: Tx): Promise<WorkQueue[]> {
  const rows = await prepared<{ queue: WorkQueue }>(
    tx,
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE NOT ${isPaused('q.queue')} AND CASE WHEN q.queue = 'webhooks'
       THEN EXISTS (SELECT FROM due_delivery WHERE lease_until IS NULL)
       ELSE EXISTS (SELECT FROM task t
         WHERE t.queue = q.queue AND t.state = 'pending' AND t.handed_at IS NULL) END`,
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

/** How many more hints a queue may hold; none while it is paused. */
async function roomOf(tx: Tx, queue: QueueName): Promise<number> {
  const [row] = await prepared<{ slots: number; outstanding: number }>(
    tx,
    `SELECT
       (SELECT coalesce(sum(slots), 0)::integer FROM worker
        WHERE NOT ${isPaused('$1')} AND queue = $1 AND seen_at > now() - interval '${workerSilence}') AS slots,
       CASE WHEN $1 = 'webhooks'
         THEN (SELECT count(*)::integer FROM webhook_flow WHERE handed_at IS NOT NULL)
         ELSE (SELECT count(*)::integer FROM task WHERE queue = $1 AND handed_at IS NOT NULL)
       END AS outstanding`,
    [queue],
  );
  return Math.max(0, row!.slots * hintsPerSlot - row!.outstanding);
}

// The recursive query hops from project to project along the index, so that a project with a
// hundred thousand due tasks costs no more to pass than one with a single task.
const dueTasks = `
  WITH RECURSIVE waiting AS (
    (SELECT project_id FROM task WHERE queue = $1 AND state = 'pending' AND handed_at IS NULL
     ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.project_id FROM task t
      WHERE t.queue = $1 AND t.state = 'pending' AND t.handed_at IS NULL AND t.project_id > w.project_id
      ORDER BY t.project_id LIMIT 1)
    FROM waiting w WHERE w.project_id IS NOT NULL
  ), due AS (
    SELECT t.id, t.turn, t.due_at FROM waiting w, LATERAL (
      SELECT id, due_at, row_number() OVER (ORDER BY due_at) AS turn FROM task
      WHERE queue = $1 AND project_id = w.project_id AND state = 'pending' AND handed_at IS NULL
        AND due_at <= now()
      ORDER BY due_at LIMIT $2) t
    WHERE w.project_id IS NOT NULL ORDER BY t.turn, t.due_at LIMIT $2
  ), locked AS (
    -- By key alone: with its state in the condition, the planner would read every due task again.
    SELECT task.id, due.turn FROM due JOIN task USING (id) FOR UPDATE OF task SKIP LOCKED
  )
  UPDATE task SET handed_at = now() FROM locked
  WHERE task.id = locked.id AND task.state = 'pending' AND task.handed_at IS NULL
  RETURNING task.id, locked.turn, (extract(epoch FROM task.handed_at) * 1000)::bigint AS handed_ms,
    task.project_id, task.kind, task.request_id, task.trace_parent`;

async function claimTasks(tx: Tx, queue: QueueName, limit: number): Promise<Handed[]> {
  const rows = await prepared<HandedTask & { turn: number; handed_ms: number }>(tx, dueTasks, [
    queue,
    limit,
  ]);
  return rows
    .sort((a, b) => a.turn - b.turn)
    .map((row) => ({
      hint: { task_id: row.id },
      jobId: taskHintId(row.id, row.handed_ms),
      id: row.id,
      task: row,
    }));
}

/** The identifier of the hint that a hand-over made: the sweeper asks Redis whether it is there. */
export function taskHintId(taskId: string, handedMs: number): string {
  return `${taskId}-${handedMs}`;
}

async function releaseTasks(tx: Tx, ids: string[]): Promise<void> {
  await prepared(tx, `UPDATE task SET handed_at = NULL WHERE id = ANY($1) AND state = 'pending'`, [
    ids,
  ]);
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
