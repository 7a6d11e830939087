import { createCheck } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import { type NewTask, queueOf, type TaskKind, taskKinds } from '@scriptorium/contracts/work/tasks';
import { columnsOf } from '../db/statements/rows.ts';
import { send, type Tx } from '../db/transaction.ts';
import { takeCause } from './record.ts';

const checks = Object.fromEntries(
  Object.entries(taskKinds).map(([kind, { payload }]) => [kind, createCheck(payload)]),
) as Record<TaskKind, ReturnType<typeof createCheck>>;

const insertIntoTask = `INSERT INTO task
    (id, queue, kind, payload, due_at, project_id, resource_id, request_id, trace_parent)`;

/** For a single task, because arrays would double the cost. */
const insertOne = `${insertIntoTask}
  VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 second',
    $6, $7, $8, CASE WHEN $5::double precision = 0 THEN $9 END)`;

/**
 * For a task that a client waits for. It gets the due time of the project's oldest waiting task, so
 * that it is the project's next task without affecting the turns of other projects.
 */
const insertAwaited = `${insertIntoTask}
  VALUES ($1, $2, $3, $4, least(now(), (
    -- A range, so that no other index has the order: see "dueTasks".
    SELECT due_at FROM task WHERE queue = $2 AND state = 'pending' AND project_id >= $5
      AND (project_id, due_at) <= ($5, now())
    ORDER BY project_id, due_at LIMIT 1)), $5, $6, $7, $8)`;

const insertMany = `${insertIntoTask}
  SELECT t.id, t.queue, t.kind, t.payload, now() + t.due_in * interval '1 second', $1, $2, $3,
    -- A task that is due in days does not belong to the current trace.
    CASE WHEN t.due_in = 0 THEN $4 END
  FROM unnest($5::text[], $6::text[], $7::text[], $8::jsonb[], $9::double precision[])
    AS t (id, queue, kind, payload, due_in)`;

/**
 * Schedules tasks in the transaction that requires them. This is the only way to create work. They
 * store the cause of the transaction.
 * @param resourceId the resource of the tasks (a job, an object), by which they can be found
 * @returns the identifiers of the tasks, in order
 */
export async function schedule(
  tx: Tx,
  projectId: string,
  resourceId: string | null,
  ...tasks: NewTask[]
): Promise<string[]> {
  if (tasks.length === 0) return [];
  const cause = takeCause(tx);
  const rows = tasks.map((task) => [...rowOf(task), task.dueInSeconds ?? 0]);
  const common = [projectId, resourceId, cause.requestId, cause.traceParent];
  if (rows.length === 1) send(tx, insertOne, [...rows[0]!, ...common]);
  else send(tx, insertMany, [...common, ...columnsOf(rows, 5)]);
  return rows.map(([id]) => String(id));
}

/**
 * Schedules a task that a client waits for, before all waiting tasks of its project in the same queue:
 * ten thousand uploads do not delay the page that a person is opening.
 */
export function scheduleAwaited(
  tx: Tx,
  projectId: string,
  resourceId: string,
  task: NewTask,
): void {
  const { requestId, traceParent } = takeCause(tx);
  send(tx, insertAwaited, [...rowOf(task), projectId, resourceId, requestId, traceParent]);
}

/** Identifier, queue, kind and payload. */
function rowOf(task: NewTask): string[] {
  if (checks[task.kind](task.payload) !== null) {
    throw new Error(`The payload of a ${task.kind} task is invalid.`);
  }
  return [newId('task'), queueOf(task), task.kind, JSON.stringify(task.payload)];
}
