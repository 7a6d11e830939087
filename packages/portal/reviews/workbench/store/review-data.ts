import type { ReviewPageRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { allPages } from '../../../api/all-pages.ts';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
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
    for await (const batch of allPages(requestFor('listFindings', { id }), signal)) {
      findings.put(batch);
      onChange();
    }
  };
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
  };
  return reviewData;
}
