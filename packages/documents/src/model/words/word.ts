import type { Word } from '../../results.ts';

/**
 * A word, or the part of a word in one style, on a page rotated so that its lines are level. The
 * text is in reading order in any direction. The box extends from pen to pen and is as high as the
 * line.
 */
export type PageWord = Omit<Word, 'line'> & {
  /** The y of the baseline. */
  base: number;
  /**
   * The size of the font, or approximately the height of the line for recognised words, in points.
   */
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** Whether the font contains mathematical symbols. */
  math: boolean;
  /**
   * Whether a space is on the left and on the right of the word, regardless of its direction. The
   * word is not joined with its neighbour across a space, however close they are.
   */
  blankBefore: boolean;
  blankAfter: boolean;
  /**
   * The identifier of its marked content; -1 without marked content, `artifactMark` for an
   * artifact.
   */
  mark: number;
  href: string | null;
};

/**
 * A word before the page is levelled, with the angle of its line in degrees, clockwise as
 * displayed.
 */
export type AngledWord = PageWord & { angle: number };

/**
 * The mark of text that the file excludes from its content, such as a running header. The number is
 * far from the marks of recognised lines, which count down from -1.
 */
export const artifactMark = -1_000_000_000;
