import type { TaskKind } from '../contracts/tasks.ts';
import type { Failure } from '../contracts/wire/common.ts';
import type { Tx } from '../db/transaction.ts';
import type { Logger } from '../logger.ts';
import type { Cause } from './cause.ts';
import { type ClaimedTask, maxCrashes } from './lease.ts';

/** One run of a task by a worker. */
export interface TaskRun<K extends TaskKind = TaskKind> {
  task: ClaimedTask<K>;
  /** Says of every line which task it is of, for which request. */
  log: Logger;
  /** For transactions of its own, beside `finish`. */
  cause: Cause;
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
  /**
   * Ends a task that has nothing to store. Tasks that end in the same moment share a statement. Throws
   * `LeaseLost` when somebody else has the task by now.
   */
  end(): Promise<void>;
}

/** What is told of work that no worker survived, for no reason that was found. */
export function gaveUp(work: string): Failure {
  const message = `${work} was tried ${maxCrashes} times and never finished; try again later.`;
  return { code: 'gave_up', message, retryable: true };
}

/** Whether a task that fails now will not be tried again. */
export function isLastRun(run: TaskRun): boolean {
  return run.task.crashes + 1 >= maxCrashes;
}
