import {
  type DecisionVerb,
  decisionOf,
  type FindingDecision,
} from '@scriptorium/contracts/reviews';
import type { FindingRecord, NewFinding, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { createQueue } from './change-queue.ts';
import * as changes from './changes.ts';
import { createReviewData } from './review-data.ts';

type PreviousDecisions = ReadonlyMap<string, FindingDecision>;

/** A change that can be undone, even while it is being sent. */
type UndoableChange =
  | { kind: 'decided'; before: PreviousDecisions }
  | { kind: 'added'; outcome: Promise<changes.AdditionResult | ApiProblem> }
  | { kind: 'retyped'; before: readonly FindingRecord[] }
  | { kind: 'removed'; finding: FindingRecord; failed: Promise<ApiProblem | undefined> };

/** A review that a person is working on. */
export type ReviewWork = ReturnType<typeof createReviewWork>;

/** @param onChange called after each change of the data */
export function createReviewWork(id: string, onChange: () => void) {
  const reviewData = createReviewData(id, onChange);
  const queue = createQueue(() => {
    onChange();
    if (!queue.isSaving()) void reviewData.reconcile();
  });
  const { findings } = reviewData;
  let undoStack: UndoableChange[] = [];

  const add = async (
    body: NewFinding,
    { isQuiet = false, canUndo = true } = {},
  ): Promise<FindingRecord[] | ApiProblem> => {
    const entry: UndoableChange = {
      kind: 'added',
      outcome: changes.add(reviewData, queue, body, isQuiet),
    };
    if (canUndo) undoStack = [...undoStack, entry];
    const added = await entry.outcome;
    if (!('before' in added)) undoStack = undoStack.filter((one) => one !== entry);
    onChange();
    return 'before' in added ? added.findings : added;
  };
  const restoreDecisions = (before: PreviousDecisions): void => {
    for (const verb of ['accept', 'reject', 'reset'] as const) {
      const toChange = [...before].flatMap(([one, decision]) =>
        decision === decisionOf[verb] ? (findings.get(one) ?? []) : [],
      );
      if (toChange.length > 0) void changes.decide(reviewData, queue, toChange, verb);
    }
  };
  /** Restores findings that had one type. */
  const restoreTypes = (before: readonly FindingRecord[]): void => {
    for (const verb of ['accept', 'reject', 'reset'] as const) {
      const toChange = before.filter(({ decision }) => decision === decisionOf[verb]);
      const [first] = toChange;
      if (first) void changes.retype(reviewData, queue, toChange, first);
    }
  };
  return {
    held: reviewData,
    findings: findings.all,
    get: findings.get,
    isSaving: queue.isSaving,
    rejection: queue.rejection,
    canUndo: () => undoStack.length > 0,

    /** Decides findings of the detector, except those that already have this decision. */
    async decide(ids: readonly string[], verb: DecisionVerb): Promise<void> {
      const toChange = ids
        .flatMap((one) => findings.get(one) ?? [])
        .filter((one) => one.source === 'detector' && one.decision !== decisionOf[verb]);
      if (toChange.length === 0) return;
      const before = new Map(toChange.map((one) => [one.id, one.decision]));
      const entry: UndoableChange = { kind: 'decided', before };
      undoStack = [...undoStack, entry];
      if (!(await changes.decide(reviewData, queue, toChange, verb))) return;
      undoStack = undoStack.filter((one) => one !== entry);
      onChange();
    },
    /** Changes the type of findings, which accepts them. */
    async retype(toChange: readonly FindingRecord[], type: string): Promise<void> {
      const entry: UndoableChange = { kind: 'retyped', before: toChange };
      undoStack = [...undoStack, entry];
      const change = { type, decision: 'accepted' as const };
      if (!(await changes.retype(reviewData, queue, toChange, change))) return;
      undoStack = undoStack.filter((one) => one !== entry);
      onChange();
    },
    /** Adds findings. With `isQuiet`, a rejection is only returned. */
    add: (body: NewFinding, isQuiet = false) => add(body, { isQuiet }),
    /** Deletes a finding that a person added. */
    async remove(finding: FindingRecord): Promise<void> {
      const failed = changes.remove(reviewData, queue, finding);
      const entry: UndoableChange = { kind: 'removed', finding, failed };
      undoStack = [...undoStack, entry];
      if (await failed) undoStack = undoStack.filter((one) => one !== entry);
      onChange();
    },
    /** Undoes the latest change, once it is saved. Returns the finding to show. */
    async undo(): Promise<string | undefined> {
      const lastChange = undoStack.at(-1);
      if (!lastChange) return undefined;
      undoStack = undoStack.slice(0, -1);
      if (lastChange.kind === 'removed') {
        if (await lastChange.failed) return undefined;
        const { page, boxes, range, type } = lastChange.finding;
        // The cast is safe: only assignable types can be added.
        const position = range ? { page: page ?? 0, range } : { page: page ?? undefined, boxes };
        const newFinding = { ...position, type } as NewFinding;
        void add(newFinding, { canUndo: false });
        return undefined;
      }
      if (lastChange.kind === 'retyped') {
        restoreTypes(lastChange.before);
        return lastChange.before[0]?.id;
      }
      const change = lastChange.kind === 'added' ? await lastChange.outcome : lastChange;
      if (!('before' in change)) return undefined;
      const { before } = change;
      for (const { id } of 'findings' in change ? change.findings : []) {
        const finding = before.has(id) ? undefined : findings.get(id);
        if (finding) void changes.remove(reviewData, queue, finding);
      }
      restoreDecisions(before);
      return before.keys().next().value;
    },
    /** Claims the review, or renews the claim. */
    claim: () =>
      queue.enqueue(async () => {
        reviewData.review = (await send(requestFor('claimReview', { id }))).data;
      }),
    /**
     * Waits for changes that are being saved, and for changes of other tabs that they revealed.
     * Resolves to the problem if one was rejected since the last call.
     */
    async saved(): Promise<ApiProblem | undefined> {
      const problem = await queue.saved();
      await reviewData.reconcile();
      return problem;
    },
    /** Updates the review from a response, and the findings if it changed them. */
    async put(review: ReviewRecord): Promise<void> {
      reviewData.review = review;
      onChange();
      await reviewData.reconcile();
    },
  };
}
