import type { Queue } from 'bullmq';
import { type QueueName, queueNames } from '../contracts/queues.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, prepared, type Tx } from '../db/transaction.ts';
import type { Hint, Queues } from '../queues/hints.ts';

/** Hints that may be out at once for each slot of a live worker. */
const hintsPerSlot = 4;
/** A worker that was not heard of for this long does not count. */
const workerSilence = '15 seconds';
const batchSize = 250;
const addsInFlight = 4;
/** Deliveries of one endpoint that one hint stands for. */
const deliveriesPerHint = 20;

/** The queues that work is handed to: all but the relay's own. */
export type WorkQueue = Exclude<QueueName, 'relay'>;
export const workQueues = queueNames.filter((name): name is WorkQueue => name !== 'relay');

interface Handed {
  hint: Hint;
  jobId: string;
  /** Rows this hint stands for, to be taken back when it cannot be added. */
  ids: string[];
}

/**
 * Hands due work of a queue to its workers as hints, round robin by project, up to four hints for
 * each live slot; the rest waits in Postgres, where it is counted and ordered.
 * @returns how many rows were handed over
 */
export async function handOver(
  database: Database,
  queues: Queues,
  queueName: WorkQueue,
): Promise<number> {
  const claim = queueName === 'webhooks' ? claimDeliveries : claimTasks;
  const release = queueName === 'webhooks' ? releaseDeliveries : releaseTasks;
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
    handed += batch.reduce((sum, item) => sum + item.ids.length, 0);
    const add = addHints(queues[queueName], batch)
      .catch(async (error: unknown) => {
        failure = error;
        // What cannot be taken back either is found by the sweeper; nobody awaits this promise yet,
        // and a rejection would end the process.
        await inTransaction(database, (tx) =>
          release(
            tx,
            batch.flatMap((item) => item.ids),
          ),
        ).catch(() => undefined);
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
    `SELECT q.queue FROM unnest($1::text[]) AS q (queue) WHERE CASE WHEN q.queue = 'webhooks'
       THEN EXISTS (SELECT FROM delivery WHERE state = 'pending' AND handed_at IS NULL)
       ELSE EXISTS (SELECT FROM task t
         WHERE t.queue = q.queue AND t.state = 'pending' AND t.handed_at IS NULL) END`,
    [workQueues],
  );
  return rows.map(({ queue }) => queue);
}

async function addHints(queue: Queue, batch: Handed[]): Promise<void> {
  await queue.addBulk(
    batch.map(({ hint, jobId }) => ({ name: queue.name, data: hint, opts: { jobId } })),
  );
}

/** How many more hints a queue may hold. */
async function roomOf(tx: Tx, queue: QueueName): Promise<number> {
  const [row] = await prepared<{ slots: number; outstanding: number }>(
    tx,
    `SELECT
       (SELECT coalesce(sum(slots), 0)::integer FROM worker
        WHERE queue = $1 AND seen_at > now() - interval '${workerSilence}') AS slots,
       CASE WHEN $1 = 'webhooks'
         THEN (SELECT coalesce(sum(ceil(n / ${deliveriesPerHint}.0)), 0)::integer FROM (
           SELECT count(*) AS n FROM delivery WHERE handed_at IS NOT NULL GROUP BY endpoint_id) d)
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
  RETURNING task.id, locked.turn, (extract(epoch FROM task.handed_at) * 1000)::bigint AS handed_ms`;

async function claimTasks(tx: Tx, queue: QueueName, limit: number): Promise<Handed[]> {
  const rows = await prepared<{ id: string; turn: number; handed_ms: number }>(tx, dueTasks, [
    queue,
    limit,
  ]);
  return rows
    .sort((a, b) => a.turn - b.turn)
    .map((row) => ({
      hint: { task_id: row.id },
      jobId: taskHintId(row.id, row.handed_ms),
      ids: [row.id],
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

const dueDeliveries = `
  WITH RECURSIVE waiting AS (
    (SELECT project_id, endpoint_id FROM delivery WHERE state = 'pending' AND handed_at IS NULL
     ORDER BY project_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.project_id, n.endpoint_id FROM waiting w, LATERAL (
      SELECT d.project_id, d.endpoint_id FROM delivery d
      WHERE d.state = 'pending' AND d.handed_at IS NULL
        AND (d.project_id, d.endpoint_id) > (w.project_id, w.endpoint_id)
      ORDER BY d.project_id, d.endpoint_id LIMIT 1) n
  ), ready AS (
    -- An endpoint that is gone or disabled is handed over too: its worker ends what is left.
    SELECT w.project_id, w.endpoint_id, least($1 * ${deliveriesPerHint}, coalesce(e.max_in_flight, 100)
      - (SELECT count(*) FROM delivery d WHERE d.endpoint_id = w.endpoint_id AND d.handed_at IS NOT NULL)) AS room
    FROM waiting w LEFT JOIN webhook_endpoint e ON e.id = w.endpoint_id
    WHERE e.id IS NULL OR e.state <> 'paused'
  ), due AS (
    SELECT d.event_id, d.id, (d.turn - 1) / ${deliveriesPerHint} AS turn
    FROM ready r, LATERAL (
      SELECT event_id, id, row_number() OVER (ORDER BY due_at) AS turn FROM delivery
      WHERE project_id = r.project_id AND endpoint_id = r.endpoint_id AND state = 'pending'
        AND handed_at IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT greatest(r.room, 0)) d
    ORDER BY turn LIMIT $1 * ${deliveriesPerHint}
  ), locked AS (
    SELECT delivery.event_id, delivery.id FROM due JOIN delivery USING (event_id, id)
    FOR UPDATE OF delivery SKIP LOCKED
  )
  UPDATE delivery SET handed_at = now() FROM locked
  WHERE delivery.event_id = locked.event_id AND delivery.id = locked.id
    AND delivery.state = 'pending' AND delivery.handed_at IS NULL
  RETURNING delivery.id, delivery.endpoint_id, (extract(epoch FROM delivery.handed_at) * 1000)::bigint AS handed_ms`;

async function claimDeliveries(tx: Tx, _queue: QueueName, limit: number): Promise<Handed[]> {
  const rows = await prepared<{ id: string; endpoint_id: string; handed_ms: number }>(
    tx,
    dueDeliveries,
    [limit],
  );
  const byEndpoint = new Map<string, { ids: string[]; handedMs: number }>();
  for (const row of rows) {
    const found = byEndpoint.get(row.endpoint_id) ?? { ids: [], handedMs: row.handed_ms };
    found.ids.push(row.id);
    byEndpoint.set(row.endpoint_id, found);
  }
  return [...byEndpoint].flatMap(([endpointId, { ids, handedMs }]) => {
    const hints: Handed[] = [];
    for (let at = 0; at < ids.length; at += deliveriesPerHint) {
      hints.push({
        hint: { endpoint_id: endpointId },
        jobId: `${endpointId}-${handedMs}-${at}`,
        ids: ids.slice(at, at + deliveriesPerHint),
      });
    }
    return hints;
  });
}

async function releaseDeliveries(tx: Tx, ids: string[]): Promise<void> {
  await prepared(
    tx,
    `UPDATE delivery SET handed_at = NULL WHERE id = ANY($1) AND state = 'pending'`,
    [ids],
  );
}
