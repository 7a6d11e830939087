import type { NewEvent } from '@scriptorium/contracts/events';
import type { JobState } from '@scriptorium/contracts/jobs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Any } from 'typeorm';
import { sendDelete, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobOutput } from '../../entities/jobs/job-output.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import { Task } from '../../entities/outbox/task.ts';
import { indexText } from '../../library/objects/text.ts';
import { record } from '../../outbox/record.ts';
import { changeJob } from '../change.ts';
import { jobOrigin } from '../load.ts';
import { cancelReviews } from '../reviews/end.ts';

type EndState = Extract<JobState, 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'>;

/**
 * Ends a job with its unfinished operations and pages, and removes its tasks. The caller must hold
 * the job's lock.
 */
export async function endJob(
  tx: Tx,
  job: Job,
  state: EndState,
  error: Failure | null,
): Promise<void> {
  const unfinishedState = state === 'cancelled' ? 'cancelled' : 'skipped';
  const { projectId, id: jobId } = job;
  const outputs = await tx.find(JobOutput, {
    where: { projectId, jobId },
    order: { operationIndex: 'ASC', kind: 'ASC' },
  });
  sendDelete(tx, Task, { projectId, resourceId: jobId });
  const end = { state: unfinishedState, finishedAt: transactionTime } as const;
  const openStates = ['pending', 'running'] as const;
  sendUpdate(tx, JobPage, { projectId, jobId, state: Any([...openStates]) }, end);
  const unfinishedStates = Any([...openStates, 'awaiting_review' as const]);
  sendUpdate(tx, JobOperation, { projectId, jobId, state: unfinishedStates }, end);
  if (state === 'cancelled') cancelReviews(tx, projectId, jobId);
  const hasSucceeded = state === 'succeeded' || state === 'partially_succeeded';
  const percent = hasSucceeded ? { percent: 100 } : {};
  changeJob(tx, job, { state, error, finishedAt: transactionTime, ...percent });
  if (hasSucceeded) await indexText(tx, job.projectId, job.sourceObjectId, job.id);
  job.state = state;
  await record(tx, jobOrigin(job), {
    type: `documents.job.${state}`,
    resourceId: job.id,
    data: {
      state,
      pages_total: job.pagesTotal ?? 0,
      pages_completed: job.pagesCompleted,
      pages_failed: job.pagesFailed,
      outputs: outputs.map(({ objectId, kind }) => ({ object_id: objectId, kind })),
      error,
    },
  } as NewEvent);
}
