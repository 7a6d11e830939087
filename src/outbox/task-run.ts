import type { Failure } from '@scriptorium/contracts/wire/common';
import type { TaskKind } from '@scriptorium/contracts/work/tasks';
import type { InTransaction, Tx } from '../db/transaction.ts';
import type { Logger } from '../logger.ts';
import { type ClaimedTask, maxCrashes } from './lease-queries.ts';

/** One run of a task by a worker. */
export interface TaskRun<K extends TaskKind = TaskKind> {
  task: ClaimedTask<K>;
  /** Adds the task and its request to each line. */
  log: Logger;
  /** Aborted when the deadline passes, the lease is lost or the worker stops. */
  signal: AbortSignal;
  /** Runs work in a transaction of the project. Its events and tasks get the cause of the task. */
  inProject: InTransaction;
  /**
   * Stores the result in one transaction of the project, which ends the task and contains the writes
   * of `work`. `lock` runs first and takes the locks that other transactions take before they change
   * tasks, which avoids deadlocks. Throws `LeaseLost`, and stores nothing, if another worker holds the
   * task.
   */
  finish<L>(
    lock: (tx: Tx) => Promise<L>,
    work: (tx: Tx, locked: L) => Promise<void>,
  ): Promise<void>;
  /**
   * Ends a task that has nothing to store. Tasks that end at the same time share a statement.
   * Throws `LeaseLost` when another worker holds the task.
   */
  end(): Promise<void>;
}

/** The failure of work whose workers all died without a known cause. */
export function gaveUpFailure(work: string): Failure {
  const message = `${work} was tried ${maxCrashes} times and never finished. Try again later.`;
  return { code: 'gave_up', message, retryable: true };
}

/** Whether a task that fails now will not be retried. */
export function isLastRun(run: TaskRun): boolean {
  return run.task.crashes + 1 >= maxCrashes;
}
