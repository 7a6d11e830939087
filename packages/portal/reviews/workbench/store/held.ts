import type { ReviewPageRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import { everything } from '../../../api/everything.ts';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, requestFor, send } from '../../../api/request.ts';
import { type HeldFindings, holdFindings } from './findings.ts';
import { followRemovals } from './removals.ts';

/** The loaded data of a review. */
export interface Held {
  id: string;
  review: ReviewRecord | undefined;
  pages: readonly ReviewPageRecord[];
  findings: HeldFindings;
  /** Whether all pages and findings are loaded. */
  isComplete: boolean;
  /** Why it could not be loaded. */
  problem: ApiProblem | undefined;
  /** Reloads a page's findings until the service has computed the boxes to paint. */
  follow: (page: number) => void;
  load: () => Promise<void>;
  stop: () => void;
}

export function holdReview(id: string, changed: () => void): Held {
  const gone = new AbortController();
  const { signal } = gone;
  const findings = holdFindings();
  const loadPages = async (): Promise<void> => {
    for await (const batch of everything(requestFor('listReviewPages', { id }), signal)) {
      held.pages = [...held.pages, ...batch];
      changed();
    }
  };
  const loadFindings = async (): Promise<void> => {
    for await (const batch of everything(requestFor('listFindings', { id }), signal)) {
      findings.put(batch);
      changed();
    }
  };
  const held: Held = {
    ...{ id, findings, review: undefined, pages: [], isComplete: false, problem: undefined },
    follow: followRemovals(id, findings, signal, changed),
    stop: () => gone.abort(),
    async load() {
      try {
        held.review = (await send(requestFor('getReview', { id }), signal)).data;
        changed();
        await Promise.all([loadPages(), loadFindings()]);
        held.isComplete = true;
      } catch (error) {
        if (signal.aborted) return;
        held.problem = asProblem(error);
      }
      changed();
    },
  };
  return held;
}
