import { limits } from '@scriptorium/contracts/limits';
import { prepared } from '../db/transaction.ts';
import { reportDownloads } from '../library/downloads/queries.ts';
import { tidyIndex } from '../library/images/tidy.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { noteUsage } from '../policies/usage-days.ts';
import type { WorkerDeps } from './deps.ts';
import { type Batch, removals } from './expired.ts';
import { isMachineFault } from './machine-fault.ts';

const everySeconds = 3_600;
/** Longer than any upload or assembly leaves its file untouched. */
const tempFileMs = 24 * 3_600_000;
/** Longer than any upload lives. */
const partialMs = (limits.resumable_upload_hours + 24) * 3_600_000;
/** How many batches of each part a run does at most, so that it ends in its time. */
const maxBatches = 20;

/** What is done in batches, each in a separate transaction. */
const parts: readonly (readonly [string, Batch])[] = [...removals, ['downloads', reportDownloads]];

type TidyDeps = Pick<WorkerDeps, 'storage'>;

/**
 * Removes what a project keeps for a limited time, and runs again in an hour; at once if there is more than
 * one run does. A part that fails is logged, and does not keep back the others.
 */
export async function tidyProject(deps: TidyDeps, run: TaskRun<'project.tidy'>): Promise<void> {
  const { projectId } = run.task;
  const isMore = await doParts(run);
  // Left by killed processes: parts of uploads, and pages of unfinished outputs.
  await deps.storage.cleanTemp(tempFileMs);
  await deps.storage.partials.clean(partialMs);
  await run.finish(
    async () => undefined,
    async (tx) => {
      // Of all projects: a person belongs to none.
      await prepared(tx, 'SELECT forget_people()', []);
      await tidyIndex(tx, projectId);
      noteUsage(tx, projectId);
      await schedule(tx, projectId, projectId, {
        kind: 'project.tidy',
        payload: {},
        dueInSeconds: isMore ? 0 : everySeconds,
      });
    },
  );
}

/** @returns whether there is more to do */
async function doParts({
  task,
  signal,
  log,
  inProject,
}: TaskRun<'project.tidy'>): Promise<boolean> {
  let isMore = false;
  for (const [part, batch] of parts) {
    try {
      let [batches, wasFull] = [0, true];
      while (wasFull && batches < maxBatches) {
        signal.throwIfAborted();
        wasFull = await inProject((tx) => batch(tx, task.projectId));
        batches += 1;
      }
      isMore ||= wasFull;
    } catch (error) {
      if (signal.aborted || isMachineFault(error)) throw error;
      log.error({ err: error, part }, 'a part of the upkeep failed');
    }
  }
  return isMore;
}
