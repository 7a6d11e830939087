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
import { inRounds, type Rounds } from '../outbox/rounds.ts';
import type { WorkerDeps } from './deps.ts';

/** Claims in one round trip the tasks of all hints that arrive together. */
export function claimTogether(database: Database): Rounds<string, ClaimedTask | null> {
  const claim = inRounds({ max: 100 }, async (taskIds: string[]) => {
    const claimed = await inOnePacket(database, (tx) => claimTasks(tx, taskIds));
    return taskIds.map((id) => claimed.get(id) ?? null);
  });
  return async (taskId) =>
    // A hint exists once: a task skipped because it was locked is claimed alone, which waits.
    (await claim(taskId)) ?? inTransaction(database, (tx) => claimTask(tx, taskId));
}

/**
 * Ends in one round trip tasks that finish together and store nothing. Throws `LeaseLost` for a
 * task that another worker holds.
 */
export function endTogether(database: Database): (task: ClaimedTask) => Promise<void> {
  const end = inRounds({ max: 100 }, async (tasks: ClaimedTask[]) => {
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
export interface Renewals {
  /** Renews a task's lease until `drop`; calls `lost` when another worker holds it. */
  keep(task: ClaimedTask, lost: () => void): void;
  drop(task: ClaimedTask): void;
  stop(): void;
}

/** Renews all leases of a worker by one timer, three times per lease. */
export function startRenewals(deps: Pick<WorkerDeps, 'database' | 'logger'>): Renewals {
  const inHand = new Map<ClaimedTask, () => void>();
  const renew = async (): Promise<void> => {
    const tasks = [...inHand.keys()];
    if (tasks.length === 0) return;
    for (const task of await inOnePacket(deps.database, (tx) => renewLeases(tx, tasks))) {
      inHand.get(task)?.();
    }
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      deps.logger.warn({ err: error, tasks: inHand.size }, 'could not renew leases'),
    );
  }, renewalSeconds * 1_000);
  return {
    keep: (task, lost) => inHand.set(task, lost),
    drop: (task) => inHand.delete(task),
    stop: () => clearInterval(timer),
  };
}

/**
 * The fields of every line about a task: the task, its request and its resource. Payloads contain
 * identifiers and numbers only.
 */
export function fieldsOf(task: ClaimedTask): Record<string, string | number | null> {
  return {
    task_id: task.taskId,
    kind: task.kind,
    project_id: task.projectId,
    request_id: task.requestId,
    attempt: task.epoch,
    ...Object.fromEntries(
      Object.entries(task.payload).map(([name, value]) => [
        pageFields.get(name) ?? name,
        typeof value === 'number' ? value : String(value),
      ]),
    ),
  };
}

/** `pages`, since other lines have other ranges. */
const pageFields = new Map([
  ['from', 'first_page'],
  ['to', 'last_page'],
]);
