import { EngineError } from '@scriptorium/sandbox/errors';
import type { LeaningWord } from '../../model/words/word.ts';
import { evenlyLit } from '../../ocr/pictures/lighting.ts';
import type { PagePicture } from '../../ocr/pictures/picture.ts';
import type { RedactedPlace } from '../calls.ts';
import { withBold } from './boldness.ts';
import { type PageRules, scannedRules } from './tables/index.ts';

/** The minimum number of words in a table that makes reading the picture worthwhile. */
const fewestOfScan = 20;
export const noRules: PageRules = { across: [], down: [], fills: [] };

/** Whether a page is a scan. `shown` of its words are drawn; the others are in its picture. */
export const isScan = (words: number, shown: number): boolean =>
  words - shown >= Math.max(fewestOfScan, shown);

/**
 * Returns the words of a scan with bold set. Returns them unchanged if the picture cannot be read.
 */
export async function boldOfPicture(
  words: readonly LeaningWord[],
  read: () => Promise<PagePicture>,
): Promise<readonly LeaningWord[]> {
  try {
    return withBold(words, await read());
  } catch (error) {
    if (error instanceof EngineError && !error.retryable) return words;
    throw error;
  }
}

/**
 * Returns the lines in the picture of a page. Returns no lines if the picture cannot be read, which
 * does not affect the words.
 */
export async function rulesOfPicture(
  read: () => Promise<PagePicture>,
  redacted: readonly RedactedPlace[],
): Promise<PageRules> {
  try {
    const picture = await read();
    return scannedRules(
      evenlyLit(picture, picture.usedDpi) ?? picture,
      redacted.map(({ box }) => box),
    );
  } catch (error) {
    if (error instanceof EngineError && !error.retryable) return noRules;
    throw error;
  }
}
