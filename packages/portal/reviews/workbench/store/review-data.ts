import type {
  FindingRecord,
  ReviewPageRecord,
  ReviewRecord,
} from '@scriptorium/contracts/wire/reviews';
import { allPages } from '../../../api/all-pages.ts';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { countOutcomes, outcomes } from '../../finding-text.ts';
import { createFindingStore, type FindingStore } from './finding-store.ts';
import { createRemovalPoller } from './poll-removals.ts';

/** The loaded data of a review. */
export interface ReviewData {
  id: string;
  review: ReviewRecord | undefined;
  pages: readonly ReviewPageRecord[];
  findings: FindingStore;
  /** Whether all pages and findings are loaded. */
  isComplete: boolean;
  /** Why the review could not be loaded. */
  problem: ApiProblem | undefined;
  /** Reloads the findings of a page until the service has computed the boxes to paint over. */
  pollRemovals: (page: number) => void;
  load: () => Promise<void>;
  /** Reloads the findings if the counts of the review show that others have changed them. */
  reconcile: () => Promise<void>;
  stop: () => void;
}

export function createReviewData(id: string, onChange: () => void): ReviewData {
  const controller = new AbortController();
  const { signal } = controller;
  const findings = createFindingStore();
  const loadPages = async (): Promise<void> => {
    for await (const batch of allPages(requestFor('listReviewPages', { id }), signal)) {
      reviewData.pages = [...reviewData.pages, ...batch];
      onChange();
    }
  };
  const loadFindings = async (): Promise<void> => {
    const missingIds = new Set(findings.all().map((finding) => finding.id));
    for await (const batch of allPages(requestFor('listFindings', { id }), signal)) {
      findings.put(batch);
      for (const finding of batch) missingIds.delete(finding.id);
      onChange();
    }
    for (const missingId of missingIds) findings.drop(missingId);
  };
  let reconciledVersion: number | undefined;
  let reconciling: Promise<void> = Promise.resolve();
  const reviewData: ReviewData = {
    id,
    findings,
    review: undefined,
    pages: [],
    isComplete: false,
    problem: undefined,
    pollRemovals: createRemovalPoller(id, findings, signal, onChange),
    stop: () => controller.abort(),
    async load() {
      try {
        reviewData.review = (await send(requestFor('getReview', { id }), signal)).data;
        onChange();
        await Promise.all([loadPages(), loadFindings()]);
        reviewData.isComplete = true;
      } catch (error) {
        if (signal.aborted) return;
        reviewData.problem = asProblem(error);
      }
      onChange();
    },
    reconcile() {
      reconciling = reconciling.then(reconcileOnce, reconcileOnce);
      return reconciling;
    },
  };
  const reconcileOnce = async (): Promise<void> => {
    const { review, isComplete } = reviewData;
    if (!review || !isComplete || review.op === 'classify') return;
    if (review.version === reconciledVersion || hasCounts(findings.all(), review.counts)) return;
    reconciledVersion = review.version;
    reviewData.isComplete = false;
    onChange();
    try {
      await loadFindings();
    } catch (error) {
      if (signal.aborted) return;
      toast('bad', asProblem(error).message);
    }
    reviewData.isComplete = true;
    onChange();
    // The review may have changed meanwhile.
    await reconcileOnce();
  };
  return reviewData;
}

/** Whether the numbers of findings by outcome are those of a review. */
function hasCounts(findings: readonly FindingRecord[], counts: ReviewRecord['counts']): boolean {
  const found = countOutcomes(findings);
  return outcomes.every((outcome) => found[outcome] === counts[outcome]);
}
