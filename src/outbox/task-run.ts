import type { TaskKind } from '../contracts/tasks.ts';
import type { Tx } from '../db/transaction.ts';
import { type ClaimedTask, maxCrashes } from './lease.ts';

/** One run of a task by a worker. */
export interface TaskRun<K extends TaskKind = TaskKind> {
  task: ClaimedTask<K>;
  /** Aborted when the deadline passes, the lease is lost or the worker has to stop. */
  signal: AbortSignal;
  /**
   * Stores the result: one transaction behind the project's wall that ends the task and holds what
   * `work` writes. `lock` runs first and takes the locks that others take before they touch tasks,
   * so that nobody waits in a circle. Throws `LeaseLost`, and stores nothing, when somebody else has
   * the task by now.
   */
  finish<L>(
    lock: (tx: Tx) => Promise<L>,
    work: (tx: Tx, locked: L) => Promise<void>,
  ): Promise<void>;
}

/** Whether a task that fails now will not be tried again. */
export function isLastRun(run: TaskRun): boolean {
  return run.task.crashes + 1 >= maxCrashes;
}
