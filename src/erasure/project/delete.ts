import type { Database } from '../../db/database.ts';
import { transactionTime } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { ProjectDeletion } from '../../entities/erasure/project-deletion.ts';
import type { PageSeal } from '../../jobs/sealing/page-content.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { Queues } from '../../queues/hints.ts';
import type { Storage } from '../../storage/storage.ts';
import { removeOrphanedHints } from './hints.ts';
import { signReport } from './report.ts';

/** Maximum number of rows that one transaction deletes. */
const batchSize = 2_000;
/** Maximum number of transactions of a run, so that it ends within its deadline. */
const maxSteps = 500;
/** The number of files that can be removed in the time of a transaction. */
const filesPerStep = 20;
/**
 * Longer than any upload or job takes between storing bytes and inserting their row. What requests
 * in progress leave behind is removed after this time.
 */
const recheckSeconds = 25 * 3_600;
/** Tables that are needed until the end: keys answer requests, and one of them signs the report. */
const lastTables = ['api_key', 'certificate_key'];

export interface DeleteDeps extends PageSeal {
  database: Database;
  storage: Storage;
  queues: Queues;
}

/**
 * Deletes a project: its rows in batches, table by table, then its bytes and hints, and in the last
 * transaction its keys and its own row. Each step can be repeated, so a killed run is continued by
 * the next.
 */
export async function deleteProject(
  deps: DeleteDeps,
  run: TaskRun<'project.delete'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.inProject(async (tx) => send(tx, 'SELECT close_project($1)', [projectId]));
  const tables = await run.inProject((tx) => listTables(tx));
  const budget = { steps: maxSteps };
  if (!(await removeAll(deps, run, tables, budget))) return continueLater(run);
  await removeHints(deps, run);
  if (payload.recheck) return finishRecheck(run, tables);
  await finishDeletion(deps, run, tables);
}

/** @returns false if more remains than a run may remove */
async function removeAll(
  { storage }: DeleteDeps,
  run: TaskRun<'project.delete'>,
  tables: readonly string[],
  budget: { steps: number },
): Promise<boolean> {
  const { projectId } = run.task;
  // Before their rows, which name them.
  const uploads = await run.inProject((tx) =>
    prepared<{ id: string }>(tx, 'SELECT id FROM upload WHERE project_id = $1', [projectId]),
  );
  for (const { id } of uploads) {
    run.signal.throwIfAborted();
    await storage.partials.drop(projectId, id);
  }
  for (const table of tables.filter((name) => !lastTables.includes(name))) {
    let erased = batchSize;
    while (erased === batchSize) {
      if (--budget.steps < 0) return false;
      run.signal.throwIfAborted();
      erased = await run.inProject((tx) => eraseRows(tx, projectId, table, batchSize));
    }
  }
  return removeFiles(storage, run, budget);
}

/** Counts the files once, before the first is removed, so that an interruption loses none. */
async function removeFiles(
  storage: Storage,
  run: TaskRun<'project.delete'>,
  budget: { steps: number },
): Promise<boolean> {
  const { projectId } = run.task;
  let count = 0;
  for await (const _ of storage.list(projectId)) count += 1;
  await run.inProject(async (tx) =>
    send(
      tx,
      'UPDATE project_deletion SET files_deleted = coalesce(files_deleted, $2) WHERE project_id = $1',
      [projectId, count],
    ),
  );
  let left = budget.steps * filesPerStep;
  for await (const sha256 of storage.list(projectId)) {
    if (--left < 0) return false;
    run.signal.throwIfAborted();
    await storage.remove(projectId, sha256);
  }
  return true;
}

/** Without Redis, the recheck removes them: they contain only identifiers. */
async function removeHints(
  { database, queues }: DeleteDeps,
  run: TaskRun<'project.delete'>,
): Promise<void> {
  try {
    await removeOrphanedHints(database, queues);
  } catch (error) {
    run.log.warn({ err: error }, 'could not remove the hints of a deleted project');
  }
}

async function finishDeletion(
  deps: DeleteDeps,
  run: TaskRun<'project.delete'>,
  tables: readonly string[],
): Promise<void> {
  const { projectId } = run.task;
  await run.finish(
    (tx) =>
      tx.findOneOrFail(ProjectDeletion, {
        where: { projectId },
        lock: { mode: 'pessimistic_write' },
      }),
    async (tx, locked) => {
      if (locked.finishedAt) return;
      // What was added since, such as counts of the deleted rows.
      await eraseRemains(tx, projectId, tables);
      const deletion = await tx.findOneByOrFail(ProjectDeletion, { projectId });
      const [row] = await prepared<{ now: Date }>(tx, 'SELECT now() AS now', []);
      const report = await signReport(tx, deps, deletion, row!.now);
      await tx.update(ProjectDeletion, { projectId }, { report, finishedAt: transactionTime });
      for (const table of lastTables) await eraseRows(tx, projectId, table, batchSize);
      await prepared(tx, 'SELECT erase_project($1)', [projectId]);
      await schedule(tx, projectId, projectId, {
        kind: 'project.delete',
        payload: { recheck: true },
        dueInSeconds: recheckSeconds,
      });
    },
  );
  run.log.info('deleted a project');
}

async function finishRecheck(
  run: TaskRun<'project.delete'>,
  tables: readonly string[],
): Promise<void> {
  const { projectId } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      await eraseRemains(tx, projectId, tables);
      await prepared(tx, 'SELECT erase_project($1)', [projectId]);
      await tx.update(ProjectDeletion, { projectId }, { checkedAt: transactionTime });
    },
  );
}

async function continueLater(run: TaskRun<'project.delete'>): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      await schedule(tx, projectId, projectId, { kind: 'project.delete', payload });
    },
  );
}

async function listTables(tx: Tx): Promise<string[]> {
  const rows = await prepared<{ name: string }>(tx, 'SELECT name FROM project_tables()', []);
  return rows.map(({ name }) => name);
}

async function eraseRows(tx: Tx, projectId: string, table: string, most: number): Promise<number> {
  const [row] = await prepared<{ erased: number }>(tx, 'SELECT erase_rows($1, $2, $3) AS erased', [
    projectId,
    table,
    most,
  ]);
  return row!.erased;
}

/** Deletes the few rows of all tables that were added during the run. */
async function eraseRemains(tx: Tx, projectId: string, tables: readonly string[]): Promise<void> {
  for (const table of tables.filter((name) => !lastTables.includes(name))) {
    await eraseRows(tx, projectId, table, batchSize);
  }
}
