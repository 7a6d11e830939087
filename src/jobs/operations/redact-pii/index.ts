import { sources } from '@scriptorium/contracts/documents/sources';
import { openToRewrite } from '../calls.ts';
import { expiredPage, unpagedPage } from '../earlier-result.ts';
import type { OperationWork, ReviewableWork } from '../operation.ts';
import { searchUnpaged } from './external/unpaged.ts';
import { findOnPage, outcomeOf } from './find.ts';
import { redactPaged } from './paged.ts';
import { detectToReview } from './reviewed.ts';
import { redactUnpaged } from './unpaged.ts';
import { detectInUnpaged } from './unpaged-reviewed.ts';

/** Finds personal data, removes it, and verifies that it is gone. */
export const redactPiiWork: OperationWork<'redact_pii'> & ReviewableWork<'redact_pii'> = {
  open: (work) => openToRewrite(work, 'It is not in the redacted copy, which it does not cover.'),

  async page(work, page) {
    if (!sources[work.source.mime].paged) {
      return (page === 1 && (await searchUnpaged(work))) || unpagedPage(page);
    }
    const plan = await findOnPage(work, page);
    return plan ? outcomeOf(plan) : expiredPage(page);
  },

  detect: (work) =>
    sources[work.source.mime].paged ? detectToReview(work) : detectInUnpaged(work),

  assemble: (work) => (sources[work.source.mime].paged ? redactPaged(work) : redactUnpaged(work)),
};
