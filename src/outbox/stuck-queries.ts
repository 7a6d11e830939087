import type { QueueName } from '@scriptorium/contracts/work/queues';
import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import { query, type Tx } from '../db/transaction.ts';
import { maxCrashes } from './lease-queries.ts';
import { hintsPerSlot, isPausedSql, workerTimeout } from './pause.ts';

/** Why a task is stuck, and what to do about it. */
export const stuckReasons = {
  lease_ran_out:
    'its worker stopped responding, and no relay has taken it back: check that a relay is running',
  queue_paused: 'its queue is paused: queue resume',
  no_worker: 'no live worker serves its queue: start one',
  gave_up_next: `it ended ${maxCrashes} times without an outcome: its next run fails it, unless task retry`,
  crashed: 'its last run failed, and it will be retried: see its last error',
  not_claimed: 'its hint was not taken within 30 s: check that workers can reach Redis',
  not_handed_over:
    'it has been due for a minute without a hint: check that a relay is running and can reach Redis',
  backlog: 'its queue is full, and it waits for its turn: start more workers',
} as const;

type StuckReason = keyof typeof stuckReasons;

/** A task as operators see it: identifiers and numbers, no content of documents. */
export interface TaskState {
  id: string;
  project_id: string;
  queue: QueueName;
  kind: TaskKind;
  resource_id: string | null;
  payload: Record<string, unknown>;
  state: 'pending' | 'running';
  due_at: Date;
  handed_at: Date | null;
  lease_until: Date | null;
  lease_epoch: number;
  crashes: number;
  last_error: string | null;
  request_id: string | null;
  created_at: Date;
  /** Null when it is not stuck. */
  reason: StuckReason | null;
}

const describedTasks = `
  WITH live AS (
    SELECT queue, sum(slots) AS slots FROM worker
    WHERE seen_at > now() - interval '${workerTimeout}' GROUP BY queue
  ), handed AS (
    SELECT queue, count(*) AS n FROM task WHERE handed_at IS NOT NULL GROUP BY queue
  )
  SELECT t.id, t.project_id, t.queue, t.kind, t.resource_id, t.payload, t.state, t.due_at, t.handed_at,
    t.lease_until, t.lease_epoch, t.crashes, t.last_error, t.request_id, t.created_at,
    CASE
      WHEN t.state = 'running' AND t.lease_until < now() THEN 'lease_ran_out'
      WHEN t.state = 'running' THEN NULL
      WHEN t.due_at <= now() AND ${isPausedSql('t.queue')} THEN 'queue_paused'
      WHEN t.due_at <= now() AND coalesce(live.slots, 0) = 0 THEN 'no_worker'
      WHEN t.crashes >= ${maxCrashes} THEN 'gave_up_next'
      WHEN t.crashes > 0 OR t.last_error IS NOT NULL THEN 'crashed'
      WHEN t.handed_at < now() - interval '30 seconds' THEN 'not_claimed'
      WHEN t.handed_at IS NULL AND t.due_at < now() - interval '1 minute' THEN
        CASE WHEN handed.n >= live.slots * ${hintsPerSlot} THEN 'backlog' ELSE 'not_handed_over' END
    END AS reason
  FROM task t LEFT JOIN live USING (queue) LEFT JOIN handed USING (queue)`;

/**
 * Stuck tasks, longest due first. Tasks that only wait for their turn are excluded. `tx` is the
 * owner's.
 */
export async function listStuck(
  tx: Tx,
  where: { queue: QueueName | null; projectId: string | null; limit: number },
): Promise<TaskState[]> {
  return query<TaskState>(
    tx,
    `SELECT * FROM (${describedTasks}) d WHERE reason <> 'backlog'
       AND ($1::text IS NULL OR queue = $1) AND ($2::text IS NULL OR project_id = $2)
     ORDER BY due_at, id LIMIT $3`,
    [where.queue, where.projectId, where.limit],
  );
}

/** Returns a task, or null. `tx` is the owner's. */
export async function showTask(tx: Tx, id: string): Promise<TaskState | null> {
  const [row] = await query<TaskState>(tx, `SELECT * FROM (${describedTasks}) d WHERE id = $1`, [
    id,
  ]);
  return row ?? null;
}

/**
 * Makes a task due now, with all its retries. A running task is left to its worker. `tx` is the
 * owner's or a worker's.
 * @returns false when it does not exist or is running
 */
export async function retryTask(tx: Tx, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    `UPDATE task SET state = 'pending', due_at = now(), handed_at = NULL, lease_until = NULL,
       crashes = 0, last_error = NULL
     WHERE id = $1 AND (state = 'pending' OR lease_until < now()) RETURNING id`,
    [id],
  );
  return rows.length === 1;
}
