import type { Database } from '../db/database.ts';
import { inOnePacket, inTransaction } from '../db/transaction.ts';
import {
  type ClaimedTask,
  claimTask,
  claimTasks,
  endTasks,
  finishTask,
  renewalSeconds,
  renewLeases,
} from '../outbox/lease-queries.ts';
import { type BatchedCall, batchCalls } from '../outbox/rounds.ts';
import type { WorkerDeps } from './deps.ts';

/** Creates a function that claims the tasks of all hints that arrive together in one round trip. */
export function createTaskClaimer(database: Database): BatchedCall<string, ClaimedTask | null> {
  const claim = batchCalls({ max: 100 }, async (taskIds: string[]) => {
    const claimed = await inOnePacket(database, (tx) => claimTasks(tx, taskIds));
    return taskIds.map((id) => claimed.get(id) ?? null);
  });
  return async (taskId) =>
    // A hint exists once: a task skipped because it was locked is claimed alone, which waits.
    (await claim(taskId)) ?? inTransaction(database, (tx) => claimTask(tx, taskId));
}

/**
 * Creates a function that ends tasks without a result to store. Tasks that end together share a
 * round trip. It throws `LeaseLost` for a task that another worker holds.
 */
export function createTaskEnder(database: Database): (task: ClaimedTask) => Promise<void> {
  const end = batchCalls({ max: 100 }, async (tasks: ClaimedTask[]) => {
    const ended = await inOnePacket(database, (tx) => endTasks(tx, tasks));
    return tasks.map((task) => ended.has(task));
  });
  return async (task) => {
    // A skipped task is held by another worker, or locked. Ending it alone waits, and throws if it
    // is held.
    if (!(await end(task))) await inTransaction(database, (tx) => finishTask(tx, task));
  };
}

/** The leases of the tasks in progress, renewed together. */
export interface LeaseRenewals {
  /** Renews a task's lease until it is removed; calls `onLost` if another worker holds it. */
  add(task: ClaimedTask, onLost: () => void): void;
  remove(task: ClaimedTask): void;
  stop(): void;
}

/** Renews all leases of a worker with one timer, three times per lease. */
export function startRenewals(deps: Pick<WorkerDeps, 'database' | 'logger'>): LeaseRenewals {
  const onLostByTask = new Map<ClaimedTask, () => void>();
  const renew = async (): Promise<void> => {
    const tasks = [...onLostByTask.keys()];
    if (tasks.length === 0) return;
    for (const task of await inOnePacket(deps.database, (tx) => renewLeases(tx, tasks))) {
      onLostByTask.get(task)?.();
    }
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      deps.logger.warn({ err: error, tasks: onLostByTask.size }, 'could not renew leases'),
    );
  }, renewalSeconds * 1_000);
  return {
    add: (task, lost) => onLostByTask.set(task, lost),
    remove: (task) => onLostByTask.delete(task),
    stop: () => clearInterval(timer),
  };
}

/**
 * The fields of every log line about a task: the task, its request and its resource. Payloads contain
 * only identifiers and numbers.
 */
export function logFieldsOf(task: ClaimedTask): Record<string, string | number | null> {
  return {
    task_id: task.taskId,
    kind: task.kind,
    project_id: task.projectId,
    request_id: task.requestId,
    attempt: task.epoch,
    ...Object.fromEntries(
      Object.entries(task.payload).map(([name, value]) => [
        renamedFields.get(name) ?? name,
        typeof value === 'number' ? value : String(value),
      ]),
    ),
  };
}

/** Fields that get a more specific name in log lines. */
const renamedFields = new Map([
  ['from', 'first_page'],
  ['to', 'last_page'],
]);
