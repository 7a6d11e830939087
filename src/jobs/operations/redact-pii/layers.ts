import type { PlannedPage } from '@scriptorium/documents';
import { credibleWords } from '@scriptorium/documents/credible';
import { packLayer } from '@scriptorium/documents/redact/contract/layer';
import { isPageResult } from '@scriptorium/documents/results';
import { fromStored } from '../left-page.ts';
import type { StepWork } from '../operation.ts';
import { withoutValues } from './left-over.ts';

/**
 * The plans of pages with the words that `ocr` read on them, for the invisible text of the output,
 * excluding words that are part of removed values. Pages with text of their own keep it unchanged.
 */
export async function withLayers(
  work: StepWork<'redact_pii'>,
  planned: readonly PlannedPage[],
): Promise<PlannedPage[]> {
  const plans = new Map(planned.map((plan) => [plan.page, plan]));
  for await (const { page, words } of work.pages('ocr')) {
    const plan = plans.get(page);
    if (!words || plan?.state !== 'planned') continue;
    const result = await fromStored(words);
    if (!isPageResult(result))
      throw new Error('The stored result of a recognised page is invalid.');
    if (result.treatment !== 'add') continue;
    const read = credibleWords(result.words).filter(({ source }) => source === 'ocr');
    const left = withoutValues(read, plan);
    if (left.length > 0) plans.set(page, { ...plan, layer: packLayer(left, result) });
  }
  return [...plans.values()];
}
