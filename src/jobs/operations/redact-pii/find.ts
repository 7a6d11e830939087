import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { isDrawnType } from '@scriptorium/contracts/documents/entities';
import type { PagePlan } from '@scriptorium/documents';
import type { RecognitionOptions } from '@scriptorium/documents/ocr/trusted-recognition';
import type { ProcessedPage } from '../../pages/outcome.ts';
import { callOptionsOf, fileOf, readingOptionsOf } from '../calls.ts';
import type { StepWork } from '../operation.ts';
import { detectorOptionsOf } from './detector-options.ts';
import { withExternalFindings } from './external/search.ts';
import { toWords } from './stored.ts';

type Work = StepWork<'redact_pii'>;

const findMs = 120_000;

/**
 * Finds the values to remove from a page.
 * @returns null when the result of `ocr` has expired
 */
export async function findOnPage(work: Work, page: number): Promise<PagePlan | null> {
  for await (const { words } of work.pages('ocr', { from: page, to: page })) {
    if (!words) break;
    const pageFile = await work.newFile();
    await writeFile(pageFile, await promisify(inflate)(words));
    const ocr = work.optionsOf('ocr');
    return findOnRecognisedPage(work, page, pageFile, ocr ? readingOptionsOf(ocr) : undefined);
  }
  return null;
}

/**
 * Finds the values to remove from a page.
 * @param pageFile the path of the result of its recognition
 * @param how the options of the recognition. Default: the default options
 */
export async function findOnRecognisedPage(
  work: Work,
  page: number,
  pageFile: string,
  how: RecognitionOptions | undefined,
): Promise<PagePlan> {
  const { engines, source, options, signal } = work;
  const plan = await engines.findPage(
    {
      ...fileOf(source),
      page,
      pageFile,
      options: detectorOptionsOf(options),
      keep: (options.keep ?? []).filter(isDrawnType),
      ...(how ? { how } : {}),
    },
    callOptionsOf(source, findMs, signal),
  );
  return withExternalFindings(work, plan);
}

/**
 * A plan in its stored form, with sealed values. The text is returned only after the values found
 * anywhere in the document have been removed from it.
 */
export function outcomeOf(plan: PagePlan): ProcessedPage {
  return {
    page: plan.page,
    state: 'succeeded',
    result: pageResultOf(plan),
    text: null,
    words: toWords(plan),
  };
}

/** The redacted text of a page, for storage: a text column cannot contain NUL. */
export function storableText(redactedText: string): string {
  return redactedText.replaceAll('\u0000', '');
}

/** The public result of a page: the types of the values found, and their number. */
function pageResultOf(plan: PagePlan): Record<string, unknown> {
  return {
    entities_by_type: countByType(plan.removals),
    regions: plan.removals.reduce((sum, { boxes }) => sum + boxes.length, 0),
    width: plan.widthPt,
    height: plan.heightPt,
  };
}

/** The number of values by type, sorted by type. */
export function countByType(found: readonly { type: string }[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of found) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
