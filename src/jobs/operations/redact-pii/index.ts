import { sources } from '../../../contracts/sources.ts';
import type { OperationWork } from '../../operation-work.ts';
import { callOf, fileOf, inspectMs } from '../calls.ts';
import { findOnPage, outcomeOf } from './find.ts';
import { redactWhole, unfoundPage } from './in-kind.ts';
import { redactPaged } from './paged.ts';

/** Finds personal data, removes it, and proves that it is gone. */
export const redactPiiWork: OperationWork<'redact_pii'> = {
  async open({ engines, source, signal }) {
    const found = await engines.inspect(fileOf(source), callOf(source, inspectMs, signal));
    return { pages: found.pages.length, warnings: [] };
  },

  async page(work, page) {
    if (!sources[work.source.mime].paged) return unfoundPage(page);
    const plan = await findOnPage(work, page);
    if (plan) return outcomeOf(plan);
    const message = 'What was read of the page is no longer kept.';
    return { page, state: 'failed', error: { code: 'results_expired', message, retryable: false } };
  },

  assemble: (work) => (sources[work.source.mime].paged ? redactPaged(work) : redactWhole(work)),
};
