import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { OperationOptions } from '../../../contracts/operations.ts';
import type { PagePlan } from '../../../engines/index.ts';
import type { DetectorOptions } from '../../../engines/pii/finding.ts';
import type { DonePage } from '../../finish-pages.ts';
import type { StepWork } from '../../operation-work.ts';
import { callOf, fileOf, howRead } from '../calls.ts';
import { toWords } from './stored.ts';

type Work = StepWork<'redact_pii'>;

const findMs = 120_000;

/** What the options ask to be found. */
export function detectorOptionsOf(options: OperationOptions<'redact_pii'>): DetectorOptions {
  return {
    entities: options.entities,
    minConfidence: options.min_confidence,
    customPatterns: options.custom_patterns,
    allowList: options.allow_list,
  };
}

/**
 * Finds what has to go from a page.
 * @returns null when what was read of the page before is no longer kept
 */
export async function findOnPage(work: Work, page: number): Promise<PagePlan | null> {
  for await (const { words } of work.pages('ocr', { from: page, to: page })) {
    if (!words) break;
    const pageFile = await work.newFile();
    await writeFile(pageFile, await promisify(inflate)(words));
    const { engines, source, options, signal } = work;
    const ocr = work.optionsOf('ocr');
    return engines.findPage(
      {
        ...fileOf(source),
        page,
        pageFile,
        options: detectorOptionsOf(options),
        ...(ocr ? { how: howRead(ocr) } : {}),
      },
      callOf(source, findMs, signal),
    );
  }
  return null;
}

/**
 * A plan as it is stored: its values are sealed with it. The text without them is shown when all that
 * was found anywhere in the document is gone from it, not before.
 */
export function outcomeOf(plan: PagePlan): DonePage {
  return {
    page: plan.page,
    state: 'succeeded',
    result: pageResultOf(plan),
    text: null,
    words: toWords(plan),
  };
}

/** A page's text without what is removed, as it may be shown. A column of text holds no NUL. */
export function shownText(redactedText: string): string {
  return redactedText.replaceAll('\u0000', '');
}

/** What everybody may know of a page: what kinds of things were found, and how many. */
export function pageResultOf(plan: PagePlan): Record<string, unknown> {
  return {
    entities_by_type: countByType(plan.removals),
    regions: plan.removals.reduce((sum, { boxes }) => sum + boxes.length, 0),
    width: plan.widthPt,
    height: plan.heightPt,
  };
}

/** How many of each kind were found, in the order of their names. */
export function countByType(found: readonly { type: string }[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of found) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
