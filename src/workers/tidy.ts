import { limits } from '../contracts/limits.ts';
import { prepared } from '../db/transaction.ts';
import { schedule } from '../outbox/schedule.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import type { WorkerDeps } from './deps.ts';

const everySeconds = 3_600;

/** Forgets what a project keeps for a limited time, and comes back in an hour. */
export async function tidyProject(_deps: WorkerDeps, run: TaskRun<'project.tidy'>): Promise<void> {
  const { projectId } = run.task;
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
        `UPDATE job_page SET text = NULL, words = NULL FROM job
         WHERE job.project_id = $1 AND job.project_id = job_page.project_id
           AND job.id = job_page.job_id AND job_page.words IS NOT NULL
           AND job.finished_at < now() - interval '${limits.page_results_retention_days} days'`,
        [projectId],
      );
      await schedule(tx, projectId, projectId, {
        kind: 'project.tidy',
        payload: {},
        dueInSeconds: everySeconds,
      });
    },
  );
}
