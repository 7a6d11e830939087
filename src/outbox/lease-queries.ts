import type { TaskKind, TaskPayload } from '@scriptorium/contracts/work/tasks';
import { errorFieldsOf } from '../db/errors.ts';
import { planByIndex } from '../db/statements/rows.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { isPausedSql } from './pause.ts';

/**
 * How long a lease runs from its claim or last renewal. Workers renew after a third of it, so a
 * dead worker is noticed within this time, whatever its task's deadline.
 */
const leaseSeconds = 15;
/** How often workers renew their leases. */
export const renewalSeconds = leaseSeconds / 3;
/** Number of runs without an outcome after which a task fails. */
export const maxCrashes = 3;

/** The right to finish a task, under the epoch of the latest claim. */
interface Lease {
  taskId: string;
  projectId: string;
  epoch: number;
}

/** A claimed task. */
export type ClaimedTask<K extends TaskKind = TaskKind> = {
  [Kind in K]: Lease & {
    kind: Kind;
    payload: TaskPayload<Kind>;
    crashes: number;
    lastError: string | null;
    requestId: string | null;
    traceParent: string | null;
    dueAt: Date;
  };
}[K];

/**
 * Another worker holds the lease now, or the task no longer exists: the result must not be stored.
 */
export class LeaseLost extends Error {
  constructor(lease: Lease) {
    super(`The lease ${lease.epoch} on ${lease.taskId} is lost.`);
    this.name = 'LeaseLost';
  }
}

interface ClaimedRow {
  id: string;
  project_id: string;
  kind: TaskKind;
  payload: Record<string, unknown>;
  lease_epoch: number;
  crashes: number;
  last_error: string | null;
  request_id: string | null;
  trace_parent: string | null;
  due_at: Date;
}

const claimedColumns =
  'id, project_id, kind, payload, lease_epoch, crashes, last_error, request_id, trace_parent, due_at';
const claimAssignments = `state = 'running', lease_epoch = lease_epoch + 1,
  lease_until = now() + interval '${leaseSeconds} seconds', handed_at = coalesce(handed_at, now())`;

/**
 * Claims a due task; every run starts with this. Waits for transactions that are changing the task.
 * @returns null when it is not due, already claimed, or its queue is paused
 */
export async function claimTask(tx: Tx, taskId: string): Promise<ClaimedTask | null> {
  const [row] = await prepared<ClaimedRow>(
    tx,
    `UPDATE task SET ${claimAssignments}
     WHERE id = $1 AND state = 'pending' AND due_at <= now() AND NOT ${isPausedSql('task.queue')}
     RETURNING ${claimedColumns}`,
    [taskId],
  );
  return row ? toClaimedTask(row) : null;
}

/**
 * Claims several tasks in one statement. Skips locked tasks instead of waiting: waiting while
 * holding other locks could deadlock.
 */
export async function claimTasks(
  tx: Tx,
  taskIds: readonly string[],
): Promise<Map<string, ClaimedTask>> {
  planByIndex(tx);
  const rows = await prepared<ClaimedRow>(
    tx,
    // By key alone: with the state in the condition, the planner would read every due task.
    `WITH locked AS (
       SELECT id, state = 'pending' AND due_at <= now() AND NOT ${isPausedSql('task.queue')} AS free
       FROM task WHERE id = ANY($1) FOR UPDATE SKIP LOCKED
     )
     UPDATE task SET ${claimAssignments} WHERE id = ANY(ARRAY(SELECT id FROM locked WHERE free))
     RETURNING ${claimedColumns}`,
    [taskIds],
  );
  return new Map(rows.map((row) => [row.id, toClaimedTask(row)]));
}

function toClaimedTask(row: ClaimedRow): ClaimedTask {
  // The payload was validated against its kind's schema when the task was scheduled.
  return {
    taskId: row.id,
    projectId: row.project_id,
    epoch: row.lease_epoch,
    kind: row.kind,
    payload: row.payload,
    crashes: row.crashes,
    lastError: row.last_error,
    requestId: row.request_id,
    traceParent: row.trace_parent,
    dueAt: row.due_at,
  } as ClaimedTask;
}

/**
 * The condition that a task is held under an epoch. Only a running task has a lease; with the state in
 * the condition, the planner would read all running tasks.
 */
const heldCondition = 'id = $1 AND lease_epoch = $2 AND lease_until IS NOT NULL';

/**
 * Renews leases, each under its epoch. Skips locked tasks: they are being finished or taken back,
 * and no other worker can claim them meanwhile.
 * @returns the leases that were lost
 */
export async function renewLeases<L extends Lease>(tx: Tx, leases: readonly L[]): Promise<L[]> {
  planByIndex(tx);
  const rows = await prepared<{ id: string; lease_epoch: number }>(
    tx,
    `WITH free AS (
       SELECT id, lease_epoch FROM task WHERE id = ANY($1) AND lease_until IS NOT NULL
       FOR NO KEY UPDATE SKIP LOCKED
     ), renewed AS (
       UPDATE task SET lease_until = now() + interval '${leaseSeconds} seconds'
       WHERE id = ANY(ARRAY(SELECT free.id FROM free
         JOIN unnest($1::text[], $2::integer[]) AS lease (id, epoch)
           ON lease.id = free.id AND lease.epoch = free.lease_epoch))
     )
     SELECT id, lease_epoch FROM task WHERE id = ANY($1) AND lease_until IS NOT NULL`,
    [leases.map(({ taskId }) => taskId), leases.map(({ epoch }) => epoch)],
  );
  const epochs = new Map(rows.map((row) => [row.id, row.lease_epoch]));
  return leases.filter(({ taskId, epoch }) => epochs.get(taskId) !== epoch);
}

/** The SQLSTATE of `raise_lease_lost`: the task to be finished is held by another worker. */
const leaseLostState = 'LS001';
const finishStatement = `WITH ended AS (DELETE FROM task WHERE ${heldCondition} RETURNING 1)
  SELECT raise_lease_lost() WHERE NOT EXISTS (SELECT FROM ended)`;

/**
 * Ends a task in the transaction that stores its result, without waiting for the answer. If another
 * worker has claimed it since, the whole transaction fails with `isLeaseLost` and is rolled back: a
 * late worker changes nothing.
 */
export function sendFinish(tx: Tx, lease: Lease): void {
  send(tx, finishStatement, [lease.taskId, lease.epoch]);
}

/**
 * Like `sendFinish`, and waits for the answer. Throws `LeaseLost` when another worker holds the
 * task.
 */
export async function finishTask(tx: Tx, lease: Lease): Promise<void> {
  try {
    await prepared(tx, finishStatement, [lease.taskId, lease.epoch]);
  } catch (error) {
    throw isLeaseLost(error) ? new LeaseLost(lease) : error;
  }
}

/**
 * Ends several tasks that are still held under their epochs, in one statement. Skips locked tasks,
 * as `claimTasks` does.
 * @returns the tasks that ended
 */
export async function endTasks<L extends Lease>(tx: Tx, leases: readonly L[]): Promise<Set<L>> {
  planByIndex(tx);
  const rows = await prepared<{ id: string; lease_epoch: number }>(
    tx,
    `WITH locked AS (
       SELECT id, lease_epoch FROM task WHERE id = ANY($1) AND lease_until IS NOT NULL
       FOR UPDATE SKIP LOCKED
     )
     DELETE FROM task WHERE id = ANY(ARRAY(SELECT locked.id FROM locked
       JOIN unnest($1::text[], $2::integer[]) AS lease (id, epoch)
         ON lease.id = locked.id AND lease.epoch = locked.lease_epoch))
     RETURNING id, lease_epoch`,
    [leases.map(({ taskId }) => taskId), leases.map(({ epoch }) => epoch)],
  );
  const ended = new Map(rows.map((row) => [row.id, row.lease_epoch]));
  return new Set(leases.filter(({ taskId, epoch }) => ended.get(taskId) === epoch));
}

/** Whether a transaction failed because the task to be finished is held by another worker. */
export function isLeaseLost(error: unknown): boolean {
  return errorFieldsOf(error).code === leaseLostState;
}

/** Returns a task unchanged because the worker is stopping. */
export async function releaseTask(tx: Tx, lease: Lease): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL
     WHERE ${heldCondition}`,
    [lease.taskId, lease.epoch],
  );
}

/**
 * Puts a task back after a failed run, to be retried after a pause (5 s, 20 s, 80 s); each such run
 * counts as a crash. `reason` is for operators and contains no personal data.
 */
export async function failTask(tx: Tx, lease: Lease, reason: string): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, crashes = crashes + 1,
       last_error = $3, due_at = now() + interval '5 seconds' * power(4, least(crashes, 3))
     WHERE ${heldCondition}`,
    [lease.taskId, lease.epoch, reason],
  );
}

/** How long a task is delayed after a fault of the machine. */
const machinePauseSeconds = 15;

/**
 * Puts a task back after a fault of the machine (a full disk, storage unavailable). It is retried
 * after a pause, without limit, and its crashes are not counted.
 */
export async function deferTask(tx: Tx, lease: Lease, reason: string): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, last_error = $3,
       due_at = now() + interval '${machinePauseSeconds} seconds'
     WHERE ${heldCondition}`,
    [lease.taskId, lease.epoch, reason],
  );
}
