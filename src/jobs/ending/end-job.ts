import type { NewEvent } from '../../contracts/events.ts';
import type { JobState } from '../../contracts/jobs.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { indexText } from '../../library/objects/text.ts';
import { record } from '../../outbox/record.ts';
import { jobOrigin } from '../load.ts';

type EndState = Extract<JobState, 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'>;

/**
 * Ends a job: its unfinished operations and pages end with it, and its tasks are removed. The caller
 * holds the job's lock.
 */
export async function endJob(
  tx: Tx,
  job: Job,
  state: EndState,
  error: Failure | null,
): Promise<void> {
  const rest = state === 'cancelled' ? 'cancelled' : 'skipped';
  const key = [job.projectId, job.id];
  const outputs = await prepared<{ object_id: string; kind: string }>(
    tx,
    `SELECT object_id, kind FROM job_output WHERE project_id = $1 AND job_id = $2
     ORDER BY operation_index, kind`,
    key,
  );
  send(tx, 'DELETE FROM task WHERE project_id = $1 AND resource_id = $2', key);
  send(
    tx,
    `UPDATE job_page SET state = $3, finished_at = now()
     WHERE project_id = $1 AND job_id = $2 AND state IN ('pending', 'running')`,
    [...key, rest],
  );
  send(
    tx,
    `UPDATE job_operation SET state = $3, finished_at = now()
     WHERE project_id = $1 AND job_id = $2 AND state IN ('pending', 'running')`,
    [...key, rest],
  );
  const whole = state === 'succeeded' || state === 'partially_succeeded';
  send(
    tx,
    `UPDATE job SET state = $3, error = $4, finished_at = now(), updated_at = now(),
       percent = CASE WHEN $5 THEN 100 ELSE percent END, version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [...key, state, error && JSON.stringify(error), whole],
  );
  if (whole) indexText(tx, job.projectId, job.sourceObjectId, job.id);
  job.state = state;
  await record(tx, jobOrigin(job), {
    type: `documents.job.${state}`,
    resourceId: job.id,
    data: {
      state,
      pages_total: job.pagesTotal ?? 0,
      pages_completed: job.pagesCompleted,
      pages_failed: job.pagesFailed,
      outputs,
      error,
    },
  } as NewEvent);
}
