import type { JobWarning } from '@scriptorium/contracts/jobs';
import type { StepWork, StoredPage } from './operation.ts';
import { pagesInWords } from './pages-in-words.ts';

/** What each operation does about it. */
const done = {
  ocr: 'What they show was recognised instead.',
  redact_pii: 'Personal data was sought in both.',
  normalize_for_llm: 'The output has what was recognised instead.',
} as const;

/** A warning about pages with fonts that draw other characters than they say, if there are such. */
export function doubtedTextWarnings(op: keyof typeof done, pages: readonly number[]): JobWarning[] {
  if (pages.length === 0) return [];
  return [
    {
      code: 'text_not_believed',
      message: `${pagesInWords(pages)}: fonts draw other characters than the text says. ${done[op]} Check it for recognition errors.`,
    },
  ];
}

/** Whether `ocr` found that the text of a page is not what the page shows. */
export const isDoubted = ({ result }: StoredPage): boolean => result?.text_believed === false;

/** The pages whose text is not what they show, as `ocr` found. */
export async function doubtedPages({ pages }: Pick<StepWork<'ocr'>, 'pages'>): Promise<number[]> {
  const doubted: number[] = [];
  for await (const page of pages('ocr')) if (isDoubted(page)) doubted.push(page.page);
  return doubted;
}
