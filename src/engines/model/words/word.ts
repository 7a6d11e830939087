import type { Box } from '../../results.ts';

/** The style of a stretch of letters. */
type Look = {
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** In a font of mathematical symbols. */
  math: boolean;
};

/**
 * A word, or the part of one in a single style; on a page turned until its lines are level. Fits
 * `TableWord`.
 */
export type PageWord = Look & {
  /** In reading order, whatever its direction. */
  text: string;
  /** From pen to pen, as high as its line. */
  box: Box;
  /** y of its baseline. */
  base: number;
  /** Of its font, or about the height of its line for recognised words; in points. */
  size: number;
  /**
   * Whether a space is on its left and on its right side, whatever its direction: nothing is joined to
   * it there, however close.
   */
  blankBefore: boolean;
  blankAfter: boolean;
  confidence: number;
  source: 'pdf' | 'ocr';
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
