import { checkOf } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import { type NewTask, queueOf, type TaskKind, taskKinds } from '@scriptorium/contracts/work/tasks';
import { columnsOf } from '../db/statements/rows.ts';
import { send, type Tx } from '../db/transaction.ts';
import { causeOf } from './record.ts';

const checks = Object.fromEntries(
  Object.entries(taskKinds).map(([kind, { payload }]) => [kind, checkOf(payload)]),
) as Record<TaskKind, ReturnType<typeof checkOf>>;

const into = `INSERT INTO task
    (id, queue, kind, payload, due_at, project_id, resource_id, request_id, trace_parent)`;

/** For a single task: arrays would cost as much again as the row. */
const insertOne = `${into}
  VALUES ($1, $2, $3, $4, now() + $5::double precision * interval '1 second',
    $6, $7, $8, CASE WHEN $5::double precision = 0 THEN $9 END)`;

/**
 * For a task that a client waits for: due as long as what its project has waiting longest, so that it
 * is next among the project's own, and other projects have their turns as before.
 */
const insertAwaited = `${into}
  VALUES ($1, $2, $3, $4, least(now(), (
    -- A range, so that no other index has the order: see "dueTasks".
    SELECT due_at FROM task WHERE queue = $2 AND state = 'pending' AND project_id >= $5
      AND (project_id, due_at) <= ($5, now())
    ORDER BY project_id, due_at LIMIT 1)), $5, $6, $7, $8)`;

const insertMany = `${into}
  SELECT t.id, t.queue, t.kind, t.payload, now() + t.due_in * interval '1 second', $1, $2, $3,
    -- A task that is due in days does not belong to the current trace.
    CASE WHEN t.due_in = 0 THEN $4 END
  FROM unnest($5::text[], $6::text[], $7::text[], $8::jsonb[], $9::double precision[])
    AS t (id, queue, kind, payload, due_in)`;

/**
 * Schedules tasks in the transaction that requires them: the only way to create work. They store
 * the cause of the transaction.
 * @param resourceId what the tasks are for (a job, an object), by which they can be found
 * @returns the identifiers of the tasks, in order
 */
export async function schedule(
  tx: Tx,
  projectId: string,
  resourceId: string | null,
  ...tasks: NewTask[]
): Promise<string[]> {
  if (tasks.length === 0) return [];
  const cause = causeOf(tx);
  const rows = tasks.map((task) => [...rowOf(task), task.dueInSeconds ?? 0]);
  const common = [projectId, resourceId, cause.requestId, cause.traceParent];
  if (rows.length === 1) send(tx, insertOne, [...rows[0]!, ...common]);
  else send(tx, insertMany, [...common, ...columnsOf(rows, 5)]);
  return rows.map(([id]) => String(id));
}

/**
 * Schedules a task that a client waits for, before what its project has waiting in the same queue:
 * ten thousand uploads do not delay a page that a person looks at.
 */
export function scheduleAwaited(
  tx: Tx,
  projectId: string,
  resourceId: string,
  task: NewTask,
): void {
  const { requestId, traceParent } = causeOf(tx);
  send(tx, insertAwaited, [...rowOf(task), projectId, resourceId, requestId, traceParent]);
}

/** Identifier, queue, kind and payload. */
function rowOf(task: NewTask): string[] {
  if (checks[task.kind](task.payload) !== null) {
    throw new Error(`The payload of a ${task.kind} task is invalid.`);
  }
  return [newId('task'), queueOf(task), task.kind, JSON.stringify(task.payload)];
}
