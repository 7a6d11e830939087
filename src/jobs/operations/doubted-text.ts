import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { StepWork, StoredPage } from './operation.ts';
import { pagesInWords } from './pages-in-words.ts';

/** How each operation handles such pages. */
const handling = {
  ocr: 'The displayed text was recognised instead.',
  redact_pii: 'Both were searched for personal data.',
  normalize_for_llm: 'The output contains the recognised text.',
} as const;

/** A warning about pages with fonts that draw other characters than their text contains, if any. */
export function doubtedTextWarnings(
  op: keyof typeof handling,
  pages: readonly number[],
): JobWarning[] {
  if (pages.length === 0) return [];
  return [
    {
      code: 'text_not_believed',
      message: `${pagesInWords(pages)}: fonts draw other characters than the text contains. ${handling[op]} Check it for recognition errors.`,
    },
  ];
}

/** Whether `ocr` found that the text of a page differs from its appearance. */
export const isDoubted = ({ result }: StoredPage): boolean => result?.text_believed === false;

/** The pages whose text differs from their appearance, as found by `ocr`. */
export async function doubtedPages({ pages }: Pick<StepWork<'ocr'>, 'pages'>): Promise<number[]> {
  const doubted: number[] = [];
  for await (const page of pages('ocr')) if (isDoubted(page)) doubted.push(page.page);
  return doubted;
}
