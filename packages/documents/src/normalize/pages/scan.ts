import { EngineError } from '@scriptorium/sandbox/errors';
import type { AngledWord } from '../../model/words/word.ts';
import { evenLighting } from '../../ocr/pictures/lighting.ts';
import type { PagePicture } from '../../ocr/pictures/picture.ts';
import type { RedactedArea } from '../calls.ts';
import { markBold } from './boldness.ts';
import { type PageRules, scannedRules } from './tables/index.ts';

/** The minimum number of recognised words for which the picture of a page is read. */
const minScanWords = 20;
export const noRules: PageRules = { across: [], down: [], fills: [] };

/** Whether a page is a scan. `drawnWords` of its words are drawn; the others are in its picture. */
export const isScan = (words: number, drawnWords: number): boolean =>
  words - drawnWords >= Math.max(minScanWords, drawnWords);

/**
 * Returns the words of a scan with bold set. Returns them unchanged if the picture cannot be read.
 */
export async function boldOfPicture(
  words: readonly AngledWord[],
  readPicture: () => Promise<PagePicture>,
): Promise<readonly AngledWord[]> {
  try {
    return markBold(words, await readPicture());
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
  readPicture: () => Promise<PagePicture>,
  redacted: readonly RedactedArea[],
): Promise<PageRules> {
  try {
    const picture = await readPicture();
    return scannedRules(
      evenLighting(picture, picture.usedDpi) ?? picture,
      redacted.map(({ box }) => box),
    );
  } catch (error) {
    if (error instanceof EngineError && !error.retryable) return noRules;
    throw error;
  }
}
