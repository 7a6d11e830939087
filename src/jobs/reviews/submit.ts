import { newId } from '@scriptorium/contracts/ids';
import type { Actor, Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import {
  type Fault,
  notAvailable,
  Problem,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { ReviewSubmission } from '@scriptorium/contracts/wire/reviews';
import { transactionTime } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';
import { enforce } from '../../policies/enforce.ts';
import { changeJob, changeOperation } from '../change.ts';
import { finishOperation } from '../ending/finish-operation.ts';
import { loadOperation, lockJob } from '../load.ts';
import { scheduleAssembly } from '../pages/progress.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { isSameActor, requireClaim } from './claims.ts';
import { endReview } from './end.ts';
import { sealFinding, sealReason } from './findings.ts';
import { insertFindings, type LockedReview } from './queries.ts';

/**
 * Submits a locked review, whose job is also locked: the operation continues with its decisions.
 * @throws Problem 409 as `requireClaim` does, if the source is not available or if findings are
 *   pending and `pending` is `refuse`; 403 `four_eyes`, or if a policy denies processing; 422 for a
 *   `label` that is missing or does not apply
 */
export async function submitReview(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  { pending, label, seal }: ReviewSubmission & Pick<PageSeal, 'seal'>,
): Promise<void> {
  const { projectId, sourceObjectId } = review;
  requireClaim(review, origin.actor);
  await requireOtherActor(tx, review, origin);
  requireLabel(review, label);
  const source = await tx.findOneBy(StoredObject, { projectId, id: sourceObjectId });
  if (source?.state !== 'available') {
    throw notAvailable('object', { id: sourceObjectId, state: source?.state ?? 'purged' });
  }
  await enforce(tx, origin, { action: 'process', objectId: sourceObjectId });
  if (label !== undefined) await chooseLabel(tx, origin, review, { label, seal });
  else if (pending === 'refuse' && review.pending > 0) {
    throw new Problem(
      'findings_pending',
      `${pluralise(review.pending, 'finding')} of review '${review.id}' ${review.pending === 1 ? 'is' : 'are'} pending.`,
      { extra: { pending: review.pending } },
    );
  } else acceptPending(tx, origin, review);
  const counts = await countFindings(tx, review);
  const decidedBy = review.decidedBy.some((decider) => isSameActor(decider, origin.actor))
    ? review.decidedBy
    : [...review.decidedBy, origin.actor];
  endReview(tx, review, 'submitted', {
    ...counts,
    decidedBy,
    label: label ?? null,
    submittedAt: transactionTime,
  });
  const { job, operation } = await lockWaitingOperation(tx, review);
  changeOperation(tx, operation, { state: 'running' });
  changeJob(tx, job, { state: 'running' });
  await record(tx, origin, {
    type: 'documents.review.submitted',
    resourceId: review.id,
    data: {
      job_id: job.id,
      operation_index: operation.index,
      op: review.op,
      counts,
    },
  });
  await scheduleAssembly(tx, job, operation);
}

/**
 * Rejects a locked review, whose job is also locked: its operation fails.
 * @throws Problem 409 as `requireClaim` does
 */
export async function rejectReview(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  { seal, reason }: { reason: string } & Pick<PageSeal, 'seal'>,
): Promise<void> {
  requireClaim(review, origin.actor);
  const decidedBy = review.decidedBy.some((decider) => isSameActor(decider, origin.actor))
    ? review.decidedBy
    : [...review.decidedBy, origin.actor];
  endReview(tx, review, 'rejected', { decidedBy, reason: sealReason({ seal }, review, reason) });
  const { pending, accepted, rejected, added, op } = review;
  await record(tx, origin, {
    type: 'documents.review.rejected',
    resourceId: review.id,
    data: {
      job_id: review.jobId,
      operation_index: review.operationIndex,
      op,
      counts: { pending, accepted, rejected, added },
    },
  });
  await failWaitingOperation(tx, review, {
    code: 'review_rejected',
    message: 'A reviewer rejected the findings as a whole.',
  });
}

/**
 * Fails the operation that waits for a review, and its job with it. The caller must hold the job's
 * lock.
 */
export async function failWaitingOperation(
  tx: Tx,
  review: LockedReview,
  failure: { code: string; message: string },
): Promise<void> {
  const { job, operation } = await lockWaitingOperation(tx, review);
  await finishOperation(tx, job, operation, {
    state: 'failed',
    result: null,
    error: { ...failure, retryable: false },
  });
}

/** The job and operation that wait for a review. The caller holds the job's lock. */
async function lockWaitingOperation(tx: Tx, { projectId, jobId, operationIndex }: LockedReview) {
  const job: Job | null = await lockJob(tx, projectId, jobId);
  if (job?.state !== 'awaiting_review') throw new Error('The job of an open review does not wait.');
  return { job, operation: await loadOperation(tx, { projectId, jobId, index: operationIndex }) };
}

/**
 * @throws Problem 403 if the actor that started the job, or the person behind it, would also submit
 *   the review
 */
async function requireOtherActor(tx: Tx, review: LockedReview, { actor }: Origin): Promise<void> {
  if (review.reviewers !== 'not_requester') return;
  const [requester, submitter] = await Promise.all(
    [review.requestedBy, actor].map((candidate) => actorBehind(tx, review.projectId, candidate)),
  );
  if (!isSameActor(requester!, submitter!)) return;
  throw new Problem(
    'four_eyes',
    `The job of review '${review.id}' was started by the same actor. A different actor must submit it.`,
  );
}

/**
 * The actor behind a key: the person at the start of the chain of keys that created it, otherwise
 * the first key of that chain, because the creator of a key knows its secret. Other actors are
 * returned unchanged.
 */
async function actorBehind(tx: Tx, projectId: string, actor: Actor): Promise<Actor> {
  if (actor.type !== 'api_key') return actor;
  const [first] = await prepared<{ id: string; createdBy: Actor | null }>(
    tx,
    `WITH RECURSIVE line (id, created_by) AS (
       SELECT id, created_by FROM api_key WHERE project_id = $1 AND id = $2
       UNION
       SELECT k.id, k.created_by FROM line
       JOIN api_key k ON k.project_id = $1 AND k.id = line.created_by ->> 'id')
     SELECT id, created_by AS "createdBy" FROM line
     WHERE created_by ->> 'type' IS DISTINCT FROM 'api_key'`,
    [projectId, actor.id],
  );
  if (!first) return actor;
  return first.createdBy?.type === 'user' ? first.createdBy : { type: 'api_key', id: first.id };
}

function requireLabel({ op }: LockedReview, label: string | undefined): void {
  const fault = (code: string, detail: string): Fault => ({ pointer: '/label', code, detail });
  if (op === 'classify' && label === undefined) {
    throw validationFailed([fault('required', 'It is required for a review of `classify`.')]);
  }
  if (op !== 'classify' && label !== undefined) {
    throw validationFailed([fault('not_applicable', 'It applies to reviews of `classify` only.')]);
  }
}

/** Accepts the finding with the chosen label, or adds one, and rejects the others. */
async function chooseLabel(
  tx: Tx,
  { actor }: Origin,
  review: LockedReview,
  { label, seal }: { label: string } & Pick<PageSeal, 'seal'>,
): Promise<void> {
  const labels = await prepared<{ type: string }>(
    tx,
    `UPDATE finding SET decision = CASE type WHEN $3 THEN 'accepted' ELSE 'rejected' END,
       decided_by = $4::jsonb, version = version + 1
     WHERE project_id = $1 AND review_id = $2 RETURNING type`,
    [review.projectId, review.id, label, JSON.stringify(actor)],
  );
  if (labels.some(({ type }) => type === label)) return;
  const id = newId('finding');
  const content = sealFinding({ seal }, review, id, { text: null, boxes: [] });
  insertFindings(tx, review, [
    {
      id,
      page: null,
      type: label,
      score: null,
      source: 'person',
      decision: 'accepted',
      decidedBy: actor,
      content,
      reason: null,
      removal: null,
      range: null,
    },
  ]);
}

function acceptPending(tx: Tx, { actor }: Origin, review: LockedReview): void {
  send(
    tx,
    `UPDATE finding SET decision = 'accepted', decided_by = $3::jsonb, version = version + 1
     WHERE project_id = $1 AND review_id = $2 AND decision = 'pending'`,
    [review.projectId, review.id, JSON.stringify(actor)],
  );
}

interface DecisionCounts {
  pending: number;
  accepted: number;
  rejected: number;
  added: number;
}

async function countFindings(tx: Tx, { projectId, id }: LockedReview): Promise<DecisionCounts> {
  const [row] = await prepared<DecisionCounts>(
    tx,
    `SELECT 0 AS pending,
       count(*) FILTER (WHERE source = 'detector' AND decision = 'accepted')::integer AS accepted,
       count(*) FILTER (WHERE source = 'detector' AND decision = 'rejected')::integer AS rejected,
       count(*) FILTER (WHERE source = 'person')::integer AS added
     FROM finding WHERE project_id = $1 AND review_id = $2`,
    [projectId, id],
  );
  return row!;
}
