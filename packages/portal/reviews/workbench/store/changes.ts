import {
  type DecisionVerb,
  decisionOf,
  type FindingDecision,
} from '@scriptorium/contracts/reviews';
import type { FindingRecord, NewFinding } from '@scriptorium/contracts/wire/reviews';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import type { ChangeQueue } from './change-queue.ts';
import type { ReviewData } from './review-data.ts';

/** The API's maximum for the findings in one request. */
const maxPerRequest = 1000;

/**
 * Decides findings, except those that already have this decision: the service would not raise their
 * version. The decisions are shown immediately, and sent after earlier changes.
 */
export async function decide(
  reviewData: ReviewData,
  { enqueue }: ChangeQueue,
  decided: readonly FindingRecord[],
  verb: DecisionVerb,
): Promise<ApiProblem | undefined> {
  const { findings } = reviewData;
  const decision = decisionOf[verb];
  const toChange = decided.filter((one) => one.decision !== decision);
  if (toChange.length === 0) return undefined;
  const ids = toChange.map(({ id }) => id);
  findings.expect(ids, decision);
  const problem = await enqueue(async () => {
    for (let at = 0; at < ids.length; at += maxPerRequest) {
      const batch = ids.slice(at, at + maxPerRequest);
      try {
        const { data } = await send(
          requestFor('decideFindings', { id: reviewData.id, body: { ids: batch, decision: verb } }),
        );
        reviewData.review = data.review;
        findings.confirm(batch, decision, data.review.claimed_by);
      } catch (error) {
        findings.revert(ids.slice(at), decision);
        throw error;
      }
    }
  });
  pollRemovals(
    reviewData,
    toChange.filter((one) => one.decision === 'rejected' || decision === 'rejected'),
  );
  return problem;
}

/** Changes the type and the decision of findings, except those that have both already. */
export async function retype(
  reviewData: ReviewData,
  { enqueue }: ChangeQueue,
  toChange: readonly FindingRecord[],
  change: { type: string; decision: FindingDecision },
): Promise<ApiProblem | undefined> {
  const { findings } = reviewData;
  const previous = toChange
    .flatMap(({ id }) => findings.get(id) ?? [])
    .filter(({ type, decision }) => type !== change.type || decision !== change.decision);
  if (previous.length === 0) return undefined;
  const ids = previous.map(({ id }) => id);
  const problem = await enqueue(async () => {
    const decision = verbOf(change.decision);
    for (let at = 0; at < ids.length; at += maxPerRequest) {
      const batch = ids.slice(at, at + maxPerRequest);
      const { data } = await send(
        requestFor('decideFindings', {
          id: reviewData.id,
          body: { ids: batch, decision, type: change.type },
        }),
      );
      reviewData.review = data.review;
      findings.put(
        batch.flatMap((id) => {
          const current = findings.get(id);
          return current ? { ...current, type: change.type } : [];
        }),
      );
      findings.confirm(batch, change.decision, data.review.claimed_by);
    }
  });
  pollRemovals(
    reviewData,
    previous.filter((one) => (one.decision === 'rejected') !== (change.decision === 'rejected')),
  );
  return problem;
}

const verbs = ['accept', 'reject', 'reset'] as const;

/** Returns the verb that results in a decision. */
function verbOf(decision: FindingDecision): DecisionVerb {
  return verbs.find((verb) => decisionOf[verb] === decision) ?? 'reset';
}

/** The added findings, and the previous decisions of those that already existed. */
export interface AdditionResult {
  findings: FindingRecord[];
  before: ReadonlyMap<string, FindingDecision>;
}

/** Adds findings. With `isQuiet`, a rejection is only returned. */
export async function add(
  reviewData: ReviewData,
  { enqueue }: ChangeQueue,
  body: NewFinding,
  isQuiet: boolean,
): Promise<AdditionResult | ApiProblem> {
  const before = new Map<string, FindingDecision>();
  let findings: FindingRecord[] = [];
  const problem = await enqueue(async () => {
    const { data } = await send(requestFor('addFindings', { id: reviewData.id, body }));
    for (const { id } of data.data) {
      const existing = reviewData.findings.get(id);
      if (existing) before.set(id, existing.decision);
    }
    reviewData.review = data.review;
    findings = data.data;
    reviewData.findings.put(findings);
  }, isQuiet);
  pollRemovals(reviewData, findings);
  return problem ?? { findings, before };
}

/** Deletes a finding that a person added. */
export async function remove(
  reviewData: ReviewData,
  { enqueue }: ChangeQueue,
  finding: FindingRecord,
): Promise<ApiProblem | undefined> {
  const problem = await enqueue(async () => {
    const { data } = await send(
      requestFor('removeFinding', { id: reviewData.id, finding_id: finding.id }),
    );
    reviewData.review = data.review;
    reviewData.findings.drop(finding.id);
  });
  if (!problem) pollRemovals(reviewData, [finding]);
  return problem;
}

function pollRemovals(reviewData: ReviewData, findings: readonly FindingRecord[]): void {
  // Ranges of text are removed exactly as marked, so there are no boxes to compute.
  if (reviewData.review?.located_by === 'ranges') return;
  for (const page of new Set(findings.flatMap(({ page }) => page ?? [])))
    reviewData.pollRemovals(page);
}
