import type { TaskKind, TaskPayload } from '../contracts/tasks.ts';
import { faultOf } from '../db/faults.ts';
import { byKey, prepared, send, type Tx } from '../db/transaction.ts';
import { isPaused } from './pause.ts';

/**
 * How long a lease runs from its claim or its last renewal. A worker renews every third of it, so a
 * worker that died is noticed within this time, however long its task may take.
 */
export const leaseSeconds = 15;
/** A task whose runs ended without a word this often is given up with a reason. */
export const maxCrashes = 3;

/** The right to finish a task, under an epoch that only its newest holder knows. */
interface Lease {
  taskId: string;
  projectId: string;
  epoch: number;
}

/** A task in hand. */
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

/** Somebody else holds the lease now, or the task is gone: what was done must not be stored. */
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
const claiming = `state = 'running', lease_epoch = lease_epoch + 1,
  lease_until = now() + interval '${leaseSeconds} seconds', handed_at = coalesce(handed_at, now())`;

/**
 * Takes a task that is due, if nobody else has: the claim that every run starts with. Waits for
 * whoever is changing the task.
 * @returns null when there is nothing to do, as after a hint that came twice or while its queue is paused
 */
export async function claimTask(tx: Tx, taskId: string): Promise<ClaimedTask | null> {
  const [row] = await prepared<ClaimedRow>(
    tx,
    `UPDATE task SET ${claiming}
     WHERE id = $1 AND state = 'pending' AND due_at <= now() AND NOT ${isPaused('task.queue')}
     RETURNING ${claimedColumns}`,
    [taskId],
  );
  return row ? claimedTask(row) : null;
}

/**
 * Takes those of several tasks that `claimTask` would take, in one statement. Waits for nobody, since
 * who waits with locks of its own may wait in a circle: what somebody is changing is left out.
 */
export async function claimTasks(
  tx: Tx,
  taskIds: readonly string[],
): Promise<Map<string, ClaimedTask>> {
  byKey(tx);
  const rows = await prepared<ClaimedRow>(
    tx,
    // By key alone: with its state in the condition, the planner would read every due task.
    `WITH locked AS (
       SELECT id, state = 'pending' AND due_at <= now() AND NOT ${isPaused('task.queue')} AS free
       FROM task WHERE id = ANY($1) FOR UPDATE SKIP LOCKED
     )
     UPDATE task SET ${claiming} WHERE id = ANY(ARRAY(SELECT id FROM locked WHERE free))
     RETURNING ${claimedColumns}`,
    [taskIds],
  );
  return new Map(rows.map((row) => [row.id, claimedTask(row)]));
}

function claimedTask(row: ClaimedRow): ClaimedTask {
  // The payload was checked against its kind's schema when it was scheduled.
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
 * Held under this epoch. A task that runs has a lease, and no other; its state is not asked for, since
 * the planner would look for it among all that run.
 */
const held = 'id = $1 AND lease_epoch = $2 AND lease_until IS NOT NULL';

/**
 * Prolongs leases, each under its epoch. Waits for nobody: a task that is locked is being finished, or
 * taken back, and nobody else takes it meanwhile.
 * @returns those that are lost
 */
export async function renewLeases<L extends Lease>(tx: Tx, leases: readonly L[]): Promise<L[]> {
  byKey(tx);
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

/** What Postgres answers (SQLSTATE) where a task is to end that somebody else holds: `raise_lease_lost`. */
const leaseLostState = 'LS001';
const finish = `WITH ended AS (DELETE FROM task WHERE ${held} RETURNING 1)
  SELECT raise_lease_lost() WHERE NOT EXISTS (SELECT FROM ended)`;

/**
 * Ends a task in the transaction that stores its result, without waiting for the answer. When another
 * holder has taken it since, the whole transaction fails with `isLeaseLost` and is undone: a late
 * worker changes nothing.
 */
export function sendFinish(tx: Tx, lease: Lease): void {
  send(tx, finish, [lease.taskId, lease.epoch]);
}

/** Like `sendFinish`, and waits for the answer. Throws `LeaseLost` when another holder has the task. */
export async function finishTask(tx: Tx, lease: Lease): Promise<void> {
  try {
    await prepared(tx, finish, [lease.taskId, lease.epoch]);
  } catch (error) {
    throw isLeaseLost(error) ? new LeaseLost(lease) : error;
  }
}

/**
 * Ends those of several tasks that are still held under their epochs, in one statement. Waits for
 * nobody, as `claimTasks`: a task whose row is locked is left out.
 * @returns those that have ended
 */
export async function endTasks<L extends Lease>(tx: Tx, leases: readonly L[]): Promise<Set<L>> {
  byKey(tx);
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

/** Whether a transaction failed because the task that it was to end is in other hands. */
export function isLeaseLost(error: unknown): boolean {
  return faultOf(error).code === leaseLostState;
}

/** Gives a task back untouched, as a worker does that is told to stop. */
export async function releaseTask(tx: Tx, lease: Lease): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL
     WHERE ${held}`,
    [lease.taskId, lease.epoch],
  );
}

/**
 * Puts a task back after a run that failed, to be tried again after a pause (5 s, 20 s, 80 s); each
 * such run counts as a crash. `reason` is for operators and holds no personal value.
 */
export async function failTask(tx: Tx, lease: Lease, reason: string): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, crashes = crashes + 1,
       last_error = $3, due_at = now() + interval '5 seconds' * power(4, least(crashes, 3))
     WHERE ${held}`,
    [lease.taskId, lease.epoch, reason],
  );
}

/** How long a task rests that the machine got in the way of. */
const machinePauseSeconds = 15;

/**
 * Puts a task back whose run the machine made impossible (a full disk, storage that is away): it is
 * tried again after a pause, as often as it takes, and none of its crashes is used up.
 */
export async function deferTask(tx: Tx, lease: Lease, reason: string): Promise<void> {
  await prepared(
    tx,
    `UPDATE task SET state = 'pending', handed_at = NULL, lease_until = NULL, last_error = $3,
       due_at = now() + interval '${machinePauseSeconds} seconds'
     WHERE ${held}`,
    [lease.taskId, lease.epoch, reason],
  );
}
