import { sources } from '@scriptorium/contracts/documents/sources';
import { inspectSource } from '../calls.ts';
import { expiredPage, pageOfWhole } from '../left-page.ts';
import type { OperationWork, ReviewableWork } from '../operation.ts';
import { findOnPage, outcomeOf } from './find.ts';
import { redactWhole } from './in-kind.ts';
import { detectInWhole } from './in-kind-reviewed.ts';
import { redactPaged } from './paged.ts';
import { detectToReview } from './reviewed.ts';

/** Finds personal data, removes it, and verifies that it is gone. */
export const redactPiiWork: OperationWork<'redact_pii'> & ReviewableWork<'redact_pii'> = {
  open: inspectSource,

  async page(work, page) {
    if (!sources[work.source.mime].paged) return pageOfWhole(page);
    const plan = await findOnPage(work, page);
    return plan ? outcomeOf(plan) : expiredPage(page);
  },

  detect: (work) => (sources[work.source.mime].paged ? detectToReview(work) : detectInWhole(work)),

  assemble: (work) => (sources[work.source.mime].paged ? redactPaged(work) : redactWhole(work)),
};
