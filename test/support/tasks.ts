import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import type { Database } from '../../src/db/database.ts';
import { type InTransaction, inProject, inTransaction, query } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { claimTask, finishTask } from '../../src/outbox/lease-queries.ts';
import { setCause } from '../../src/outbox/record.ts';
import type { TaskRun } from '../../src/outbox/task-run.ts';

/** Takes a task as its worker would; one that is due later is made due. */
export async function takeTask<K extends TaskKind>(
  worker: Database,
  taskId: string,
): Promise<TaskRun<K>> {
  return (await tryTask<K>(worker, taskId))!;
}

/** Like `takeTask`, but null if another worker has claimed or ended it. */
async function tryTask<K extends TaskKind>(
  worker: Database,
  taskId: string,
): Promise<TaskRun<K> | null> {
  await inTransaction(worker, (tx) =>
    query(tx, 'UPDATE task SET due_at = now() WHERE id = $1', [taskId]),
  );
  const task = await inTransaction(worker, (tx) => claimTask(tx, taskId));
  return task ? runOf(worker, task as TaskRun<K>['task']) : null;
}

/**
 * Runs the task of a kind that is for a resource, as its worker does; false if none is left.
 */
export async function stepTask<K extends TaskKind>(
  worker: Database,
  kind: K,
  resourceId: string,
  handle: (deps: object, run: TaskRun<K>) => Promise<void>,
): Promise<boolean> {
  const [task] = await inTransaction(worker, (tx) =>
    query<{ id: string }>(tx, 'SELECT id FROM task WHERE kind = $1 AND resource_id = $2 LIMIT 1', [
      kind,
      resourceId,
    ]),
  );
  if (!task) return false;
  const run = await tryTask<K>(worker, task.id);
  if (run) await handle({}, run);
  return true;
}

/** The run of a task that was claimed. */
export function runOf<K extends TaskKind>(worker: Database, task: TaskRun<K>['task']): TaskRun<K> {
  const cause = { requestId: task.requestId, traceParent: task.traceParent };
  const inTaskProject: InTransaction = (work) =>
    inProject(worker, task.projectId, (tx) => {
      setCause(tx, cause);
      return work(tx);
    });
  return {
    task,
    log: createLogger('silent', 'test'),
    signal: new AbortController().signal,
    inProject: inTaskProject,
    end: () => inTransaction(worker, (tx) => finishTask(tx, task)),
    finish: (lock, work) =>
      inTaskProject(async (tx) => {
        const locked = await lock(tx);
        await finishTask(tx, task);
        await work(tx, locked);
      }),
  };
}
