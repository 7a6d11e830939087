import { limits } from '../contracts/limits.ts';
import { prepared } from '../db/transaction.ts';
import { forgetDownloads, reportDownloads } from '../library/downloads/queries.ts';
import { tidyIndex } from '../library/images/tidy.ts';
import { forgetPageImages } from '../library/objects/pages/page-image.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import { forgetUsage, noteUsage } from '../policies/usage-days.ts';
import type { WorkerDeps } from './deps.ts';

const everySeconds = 3_600;
/** Longer than any upload or assembly leaves its file untouched. */
const tempFileMs = 24 * 3_600_000;
/** Longer than any upload lives. */
const partialMs = (limits.resumable_upload_hours + 24) * 3_600_000;

/** Removes what a project keeps for a limited time, and runs again in an hour. */
export async function tidyProject(
  deps: Pick<WorkerDeps, 'storage'>,
  run: TaskRun<'project.tidy'>,
): Promise<void> {
  const { projectId } = run.task;
  // Left by killed processes: parts of uploads, and pages of unfinished outputs.
  await deps.storage.cleanTemp(tempFileMs);
  await deps.storage.partials.clean(partialMs);
  await run.finish(
    async () => undefined,
    async (tx) => {
      await prepared(
        tx,
        `DELETE FROM idempotency WHERE project_id = $1
           AND created_at < now() - interval '${limits.idempotency_hours} hours'`,
        [projectId],
      );
      await prepared(
        tx,
        `DELETE FROM denial WHERE project_id = $1 AND minute < now() - interval '1 hour'`,
        [projectId],
      );
      await prepared(
        tx,
        `DELETE FROM portal_session WHERE project_id = $1 AND expires_at < now()`,
        [projectId],
      );
      await prepared(
        tx,
        `DELETE FROM invitation WHERE project_id = $1
           AND expires_at < now() - interval '${limits.event_retention_days} days'`,
        [projectId],
      );
      await prepared(
        tx,
        `DELETE FROM share WHERE project_id = $1
           AND least(expires_at, revoked_at) < now() - interval '${limits.event_retention_days} days'`,
        [projectId],
      );
      await prepared(
        tx,
        `UPDATE job_page SET text = NULL, words = NULL FROM job
         WHERE job.project_id = $1 AND job.project_id = job_page.project_id
           AND job.id = job_page.job_id AND job_page.words IS NOT NULL
           AND job.finished_at < now() - interval '${limits.page_results_retention_days} days'`,
        [projectId],
      );
      for (const table of ['finding', 'review_text']) {
        await prepared(
          tx,
          `DELETE FROM ${table} f USING review
           WHERE f.project_id = $1 AND review.project_id = f.project_id
             AND review.id = f.review_id
             AND review.ended_at < now() - interval '${limits.review_retention_days} days'`,
          [projectId],
        );
      }
      await prepared(
        tx,
        `DELETE FROM replay WHERE project_id = $1
           AND finished_at < now() - interval '${limits.event_retention_days} days'`,
        [projectId],
      );
      // Of all projects: a person belongs to none.
      await prepared(tx, 'SELECT forget_people()', []);
      await forgetPageImages(tx, projectId);
      await tidyIndex(tx, projectId);
      await reportDownloads(tx, projectId);
      forgetDownloads(tx, projectId);
      forgetUsage(tx, projectId);
      noteUsage(tx, projectId);
      await schedule(tx, projectId, projectId, {
        kind: 'project.tidy',
        payload: {},
        dueInSeconds: everySeconds,
      });
    },
  );
}
