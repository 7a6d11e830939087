import { limits } from '@scriptorium/contracts/limits';
import { prepared } from '../db/transaction.ts';
import { reportDownloads } from '../library/downloads/queries.ts';
import { scheduleWalkOnce } from '../library/embeddings/state.ts';
import { tidyIndex } from '../library/images/tidy-index.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { addUsage } from '../policies/usage-days.ts';
import type { WorkerDeps } from './deps.ts';
import { type Batch, removals } from './expired-rows.ts';
import { isMachineFault } from './machine-fault.ts';

const intervalSeconds = 3_600;
/** Longer than any upload or assembly goes without writing to its file. */
const tempFileMs = 24 * 3_600_000;
/** Longer than any upload lives. */
const partialMs = (limits.resumable_upload_hours + 24) * 3_600_000;
/** Maximum number of batches of each part in a run, so that it ends within its deadline. */
const maxBatches = 20;

/** The work that is done in batches, each in a separate transaction. */
const parts: readonly (readonly [string, Batch])[] = [...removals, ['downloads', reportDownloads]];

type TidyDeps = Pick<WorkerDeps, 'storage'>;

/**
 * Removes expired data of a project. Runs again in an hour, or immediately if there is more to do. A
 * part that fails is logged and does not affect the others.
 */
export async function tidyProject(deps: TidyDeps, run: TaskRun<'project.tidy'>): Promise<void> {
  const { projectId } = run.task;
  const hasMore = await runParts(run);
  // Files left by killed processes: parts of uploads, and pages of unfinished outputs.
  await deps.storage.cleanTemp(tempFileMs);
  await deps.storage.partials.clean(partialMs);
  await run.finish(
    async () => undefined,
    async (tx) => {
      // For all projects, because people do not belong to one.
      await prepared(tx, 'SELECT forget_people()', []);
      await tidyIndex(tx, projectId);
      await scheduleWalkOnce(tx, projectId);
      addUsage(tx, projectId);
      await schedule(tx, projectId, projectId, {
        kind: 'project.tidy',
        payload: {},
        dueInSeconds: hasMore ? 0 : intervalSeconds,
      });
    },
  );
}

/** @returns whether there is more to do */
async function runParts({
  task,
  signal,
  log,
  inProject,
}: TaskRun<'project.tidy'>): Promise<boolean> {
  let hasMore = false;
  for (const [part, batch] of parts) {
    try {
      let [batches, wasFull] = [0, true];
      while (wasFull && batches < maxBatches) {
        signal.throwIfAborted();
        wasFull = await inProject((tx) => batch(tx, task.projectId));
        batches += 1;
      }
      hasMore ||= wasFull;
    } catch (error) {
      if (signal.aborted || isMachineFault(error)) throw error;
      log.error({ err: error, part }, 'a part of the upkeep failed');
    }
  }
  return hasMore;
}
