import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { ReviewOptions } from '@scriptorium/contracts/operations';
import { sendInsert } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { Review } from '../../entities/reviews/review.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { changeJob, changeOperation } from '../change.ts';
import { jobOrigin } from '../load.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { type Detected, sealFinding } from './findings.ts';
import { type FindingRow, insertFindings } from './queries.ts';
import { insertText, type SealedPiece, sealPiece } from './text/stored.ts';

/** Findings for a review, sealed before the transaction that stores them. */
export interface PreparedReview {
  id: string;
  op: Review['op'];
  reviewers: Review['reviewers'];
  expiresInSeconds: number;
  rows: FindingRow[];
  textDigest: string | null;
  text: SealedPiece[];
}

const defaultExpirySeconds = 14 * 24 * 3_600;

/**
 * Prepares the review of an operation's findings.
 * @returns null if no finding requires a decision
 */
export function prepareReview(
  seal: Pick<PageSeal, 'seal'>,
  context: { projectId: string; sourceObjectId: string; op: Review['op'] },
  options: ReviewOptions,
  { findings: found, text }: Detected,
): PreparedReview | null {
  const { review = 'none', review_below = 0, reviewers = 'anyone' } = options;
  const isSure = (score: number): boolean => review === 'below' && score >= review_below;
  // Only the label with the highest score matters: it becomes the label of the document.
  const isLabel = context.op === 'classify';
  const decisiveFindings = isLabel ? found.slice(0, 1) : found;
  if (review === 'below' && decisiveFindings.every(({ score }) => isSure(score))) return null;
  if (found.length > limits.review_findings) throw tooManyFindings(found.length);
  const reviewId = newId('review');
  return {
    id: reviewId,
    op: context.op,
    textDigest: text?.digest ?? null,
    text: (text?.pieces ?? []).map((piece) => sealPiece(seal, { ...context, reviewId }, piece)),
    reviewers,
    expiresInSeconds: options.review_expires_in ?? defaultExpirySeconds,
    rows: found.map(({ page, type, score, content, removal, range = null }) => {
      const id = newId('finding');
      return {
        id,
        page,
        type,
        score,
        removal,
        range,
        source: 'detector',
        decidedBy: null,
        reason: null,
        decision: isSure(score) && !isLabel ? 'accepted' : 'pending',
        content: sealFinding(seal, context, id, content),
      };
    }),
  };
}

/**
 * Stores the review and its findings; the operation and its job then wait for it. The caller must
 * hold the job's lock.
 */
export async function beginReview(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  { id, op, reviewers, expiresInSeconds, rows, textDigest, text }: PreparedReview,
): Promise<void> {
  const { projectId, id: jobId, sourceObjectId } = job;
  const pending = rows.filter(({ decision }) => decision === 'pending').length;
  const accepted = rows.length - pending;
  const expiresAt = await readTimeAfter(tx, expiresInSeconds);
  sendInsert(tx, Review, {
    projectId,
    id,
    jobId,
    op,
    sourceObjectId,
    reviewers,
    pending,
    accepted,
    expiresAt,
    operationIndex: operation.index,
    textDigest,
    pages: operation.pagesTotal ?? 0,
    requestedBy: job.origin.actor,
  });
  insertFindings(tx, { projectId, id }, rows);
  insertText(tx, { projectId, id }, text);
  changeOperation(tx, operation, { state: 'awaiting_review' });
  changeJob(tx, job, { state: 'awaiting_review' });
  await record(tx, jobOrigin(job), {
    type: 'documents.review.requested',
    resourceId: id,
    data: {
      job_id: jobId,
      operation_index: operation.index,
      op,
      source_object_id: sourceObjectId,
      counts: { pending, accepted, rejected: 0, added: 0 },
      expires_at: expiresAt.toISOString(),
    },
  });
  await schedule(tx, projectId, id, {
    kind: 'review.expire',
    payload: { review_id: id },
    dueInSeconds: expiresInSeconds,
  });
}

function tooManyFindings(count: number): OperationFailed {
  return new OperationFailed({
    code: 'too_many_findings',
    message: `The source has ${count} findings; a review has at most ${limits.review_findings}. Select fewer \`entities\`, raise \`min_confidence\`, or split the file.`,
    retryable: false,
  });
}

/** A time by the clock of Postgres, truncated to milliseconds as in the API. */
async function readTimeAfter(tx: Tx, seconds: number): Promise<Date> {
  const [row] = await prepared<{ at: Date }>(
    tx,
    `SELECT date_trunc('milliseconds', now() + $1::integer * interval '1 second') AS at`,
    [seconds],
  );
  return row!.at;
}
