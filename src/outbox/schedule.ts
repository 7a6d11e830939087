import type { ValidateFunction } from 'ajv';
import { newId } from '../contracts/ids.ts';
import { type NewTask, queueOf, type TaskKind, taskKinds } from '../contracts/tasks.ts';
import { compile } from '../contracts/validator.ts';
import { send, type Tx } from '../db/transaction.ts';
import { causeOf } from './cause.ts';

const checks = Object.fromEntries(
  Object.entries(taskKinds).map(([kind, { payload }]) => [kind, compile(payload)]),
) as unknown as Record<TaskKind, ValidateFunction>;

const insert = `INSERT INTO task (id, project_id, queue, kind, payload, resource_id, due_at, request_id, trace_parent)
  SELECT t.id, $1, t.queue, t.kind, t.payload, $2, now() + t.due_in * interval '1 second', $3,
    -- What is due in days is no part of a trace of now.
    CASE WHEN t.due_in = 0 THEN $4 END
  FROM unnest($5::text[], $6::text[], $7::text[], $8::jsonb[], $9::double precision[])
    AS t (id, queue, kind, payload, due_in)`;

/**
 * Schedules tasks in the transaction that makes them needed: the only way work comes to be. They go
 * back to what the transaction goes back to.
 * @param resourceId what the tasks are for (a job, an object), so that they can be found by it
 * @returns the identifiers of the tasks, in order
 */
export async function schedule(
  tx: Tx,
  projectId: string,
  resourceId: string | null,
  ...tasks: NewTask[]
): Promise<string[]> {
  if (tasks.length === 0) return [];
  for (const task of tasks) {
    if (!checks[task.kind](task.payload)) {
      throw new Error(`The payload of a ${task.kind} task is wrong.`);
    }
  }
  const cause = causeOf(tx);
  const ids = tasks.map(() => newId('task'));
  send(tx, insert, [
    projectId,
    resourceId,
    cause.requestId,
    cause.traceParent,
    ids,
    tasks.map(queueOf),
    tasks.map((task) => task.kind),
    tasks.map((task) => JSON.stringify(task.payload)),
    tasks.map((task) => task.dueInSeconds ?? 0),
  ]);
  return ids;
}
