import type { PlannedPage } from '@scriptorium/documents';
import { credibleWords } from '@scriptorium/documents/credible';
import { packLayer } from '@scriptorium/documents/redact/contract/layer';
import { isPageResult } from '@scriptorium/documents/results';
import { fromStored } from '../earlier-result.ts';
import type { StepWork } from '../operation.ts';
import { withoutValues } from './redacted-words.ts';

/**
 * Adds to the plans of pages the words that `ocr` read, for the invisible text of the output, without
 * words that are part of removed values. Pages that already contain text keep it unchanged.
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
    const ocrWords = credibleWords(result.words).filter(({ source }) => source === 'ocr');
    const remainingWords = withoutValues(ocrWords, plan);
    if (remainingWords.length > 0)
      plans.set(page, { ...plan, layer: packLayer(remainingWords, result) });
  }
  return [...plans.values()];
}
