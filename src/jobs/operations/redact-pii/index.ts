import { sources } from '../../../contracts/sources.ts';
import type { OperationWork } from '../../operation-work.ts';
import { callOf, fileOf, inspectMs } from '../calls.ts';
import { findOnPage, outcomeOf } from './find.ts';
import { findInKind, redactWhole } from './in-kind.ts';
import { redactPaged } from './paged.ts';

/** Finds personal data, removes it, and proves that it is gone. */
export const redactPiiWork: OperationWork<'redact_pii'> = {
  async open({ engines, source, signal }) {
    // What has no pages to choose from is one.
    if (!sources[source.mime].paged) return { pages: 1, warnings: [] };
    const found = await engines.inspect(fileOf(source), callOf(source, inspectMs, signal));
    return { pages: found.pages.length, warnings: [] };
  },

  async page(work, page) {
    if (!sources[work.source.mime].paged) return findInKind(work);
    const plan = await findOnPage(work, page, null);
    if (plan) return outcomeOf(plan);
    const message = 'What was read of the page is no longer kept.';
    return { page, state: 'failed', error: { code: 'results_expired', message, retryable: false } };
  },

  assemble: (work) => (sources[work.source.mime].paged ? redactPaged(work) : redactWhole(work)),
};
