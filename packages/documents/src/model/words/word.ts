import type { Word } from '../../results.ts';

/**
 * A word, or the part of one in a single style; on a page turned until its lines are level. Its text is in
 * reading order, whatever its direction, and its box from pen to pen, as high as its line.
 */
export type PageWord = Omit<Word, 'line'> & {
  /** y of its baseline. */
  base: number;
  /** Of its font, or about the height of its line for recognised words; in points. */
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** In a font of mathematical symbols. */
  math: boolean;
  /**
   * Whether a space is on its left and on its right side, whatever its direction: nothing is joined to
   * it there, however close.
   */
  blankBefore: boolean;
  blankAfter: boolean;
  /** Identifier of its marked content; -1 without one, `artifact` for an artifact. */
  mark: number;
  href: string | null;
};

/** A word before the page is levelled, with the angle of its line, in degrees clockwise as displayed. */
export type LeaningWord = PageWord & { angle: number };

/**
 * Mark of what the file excludes from its content, such as a running header; far from the marks of
 * recognised lines, which count down from -1.
 */
export const artifact = -1_000_000_000;
