import type { NewEvent } from '@scriptorium/contracts/events';
import { isTerminal } from '@scriptorium/contracts/jobs';
import type { Origin } from '@scriptorium/contracts/origin';
import type { PackState } from '@scriptorium/contracts/packs';
import { Problem } from '@scriptorium/contracts/problems';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Any } from 'typeorm';
import { sendDelete, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Task } from '../../entities/outbox/task.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import { PackDocument } from '../../entities/packs/pack-document.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { cancelLockedJob } from '../ending/cancel.ts';
import { lockJob } from '../load.ts';
import { changePack, packOrigin } from './load.ts';
import { countDocuments } from './queries.ts';

type EndState = Extract<PackState, 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'>;

/**
 * Maximum number of jobs cancelled in one transaction, because thousands may wait for a review. The
 * task cancels the others in the background.
 */
const maxCancelledJobs = 50;

/**
 * Ends a locked pack without an archive: immediately if all of its jobs could be cancelled, otherwise
 * it stays `cancelling` until the task has cancelled the others.
 * @param error why it fails; null if it was cancelled
 */
export async function stopPack(
  tx: Tx,
  origin: Origin,
  pack: Pack,
  error: Failure | null,
): Promise<void> {
  if (await cancelJobs(tx, origin, pack)) {
    return endPack(tx, pack, error ? 'failed' : 'cancelled', { error });
  }
  if (pack.state !== 'cancelling') changePack(tx, pack, { state: 'cancelling', error });
  const payload = { pack_id: pack.id };
  await schedule(tx, pack.projectId, pack.id, { kind: 'pack.advance', payload });
}

/** Ends a locked pack whose jobs have ended or are being cancelled. */
export async function endPack(
  tx: Tx,
  pack: Pack,
  state: EndState,
  { error = null, objectId = null }: { error?: Failure | null; objectId?: string | null } = {},
): Promise<void> {
  const { projectId, id } = pack;
  sendDelete(tx, Task, { projectId, resourceId: id });
  sendUpdate(
    tx,
    PackDocument,
    { projectId, packId: id, state: Any(['pending' as const, 'running' as const]) },
    { state: 'cancelled', finishedAt: transactionTime },
  );
  const hasSucceeded = state === 'succeeded' || state === 'partially_succeeded';
  const percent = hasSucceeded ? { percent: 100 } : {};
  changePack(tx, pack, { state, error, objectId, finishedAt: transactionTime, ...percent });
  const { total, succeeded, failed, withheld } = await countDocuments(tx, pack);
  await record(tx, packOrigin(pack), {
    type: `documents.pack.${state}`,
    resourceId: id,
    data: {
      state,
      documents_total: total,
      documents_completed: succeeded,
      documents_failed: failed,
      documents_withheld: withheld,
      object_id: objectId,
      error,
    },
  } as NewEvent);
}

/**
 * Cancels a locked pack. It ends immediately, or when its running task ends and its jobs are cancelled.
 * @returns false if the pack was already cancelled or cancelling
 * @throws Problem 409 if it has ended
 */
export async function cancelPack(tx: Tx, origin: Origin, pack: Pack): Promise<boolean> {
  const { projectId, id, state } = pack;
  if (state === 'cancelled' || state === 'cancelling') return false;
  if (isTerminal(state)) {
    throw new Problem('state_conflict', `Pack '${id}' has ${state} and cannot be cancelled.`);
  }
  const event = { type: 'documents.pack.cancel_requested', resourceId: id, data: {} } as const;
  await record(tx, origin, event);
  sendDelete(tx, Task, { projectId, resourceId: id, state: 'pending' });
  changePack(tx, pack, { state: 'cancelling' });
  pack.state = 'cancelling';
  const hasRunningTask = await tx.existsBy(Task, { projectId, resourceId: id, state: 'running' });
  if (!hasRunningTask) await stopPack(tx, origin, pack, null);
  return true;
}

/**
 * Cancels jobs that were started for the pack and have not ended.
 * @returns whether none is left
 */
async function cancelJobs(tx: Tx, origin: Origin, { projectId, id }: Pack): Promise<boolean> {
  const running = await prepared<{ jobId: string }>(
    tx,
    `SELECT j.id AS "jobId" FROM pack_document d
     JOIN job j ON j.project_id = d.project_id AND j.id = d.job_id
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.state = 'running' AND NOT d.reused
       AND j.finished_at IS NULL AND j.state <> 'cancelling'
     ORDER BY j.id LIMIT ${maxCancelledJobs}`,
    [projectId, id],
  );
  for (const { jobId } of running) {
    const job = await lockJob(tx, projectId, jobId);
    if (job && !isTerminal(job.state)) await cancelLockedJob(tx, origin, job);
  }
  return running.length < maxCancelledJobs;
}
