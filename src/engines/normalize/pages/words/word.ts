import type { Box } from '../../../results.ts';

/** How a stretch of letters is set. */
export type Look = {
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** In a font of mathematical signs. */
  math: boolean;
};

/**
 * A word, or the part of one that is set in one look; on a page turned so that its lines run level.
 * Fits `TableWord`.
 */
export type PageWord = Look & {
  /** In the order it is read in, whichever way it runs. */
  text: string;
  /** From pen to pen, as high as its line. */
  box: Box;
  /** y of its baseline. */
  base: number;
  /** Of its font, or about the height of its line where it was recognised; in points. */
  size: number;
  /**
   * A blank is written on its left and on its right side, whichever way it runs: nothing is joined to
   * it there, however near it stands.
   */
  blankBefore: boolean;
  blankAfter: boolean;
  confidence: number;
  source: 'pdf' | 'ocr';
  /** Of the marked content it belongs to; -1 for none, `artifact` for what is no content. */
  mark: number;
  href: string | null;
};

/** A word, before the page is turned level: degrees clockwise that its line leans as displayed. */
export type LeaningWord = PageWord & { angle: number };

/**
 * Mark of what the file says is no part of its content, as a running header; far from the marks of
 * recognised lines, which count down from -1.
 */
export const artifact = -1_000_000_000;

/** Ascender and descender of a usual font, in sizes. */
export const ascent = 0.78;
export const descent = 0.22;
/** Letters of a word stand nearer to one another than this, in sizes of the font. */
export const wordGap = 0.15;

/** Letters of scripts that run from right to left; no digits, nor the signs within numbers (٪ ٫ ٬). */
export const turnedScript =
  /(?![\p{N}\u066a-\u066c])[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** What stands for a glyph of which nobody knows what it reads as. */
export const unreadable = '\ufffd';

/** No letter below is of such a script, which is quicker to see than which script it is of. */
const beyondCyrillic = /[\u0590-\uffff]/;

/** Whether a text has letters of scripts that run from right to left. */
export const hasTurned = (text: string): boolean =>
  beyondCyrillic.test(text) && turnedScript.test(text);

export const leftToRight = /\p{L}/u;

/** Whether a line is read from the right, among text of which most is (`fromRight`) or is not. */
export const runsFromRight = (words: readonly { text: string }[], fromRight: boolean): boolean =>
  isTurned(words) || (fromRight && words.some(({ text }) => hasTurned(text)));

/** Whether a line is read from the right: most of its letters are of such a script. */
export function isTurned(words: readonly { text: string }[]): boolean {
  if (!words.some(({ text }) => beyondCyrillic.test(text))) return false;
  let [turned, others] = [0, 0];
  for (const { text } of words) {
    if (turnedScript.test(text)) turned += text.length;
    else if (leftToRight.test(text)) others += text.length;
  }
  return turned > others;
}
