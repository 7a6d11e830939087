import type { FormField } from '../pdf/form-fields.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box, Word } from '../results.ts';

/** A word of the model: its text and its position. */
export type ModelWord = Omit<Word, 'line'> & {
  /** False for text in the PDF that is not drawn. */
  visible: boolean;
  /**
   * The glyph of each UTF-16 unit of `text`; null for recognised words, which only have a position as a
   * whole.
   */
  glyphs: readonly Glyph[] | null;
  /** Whether it continues the previous word, where one is recognised and the other is not. */
  joined?: true;
};

/** Adjacent words on one baseline, in reading order; columns are separate lines. */
export type ModelLine = {
  /** Indexes into `words`. */
  words: number[];
  box: Box;
  /** On the page turned until the line is level: its start, end and baseline, in points. */
  from: number;
  to: number;
  base: number;
  size: number;
  /** The angle in degrees, clockwise as displayed, by which it was rotated from level. */
  angle: number;
};

/** Lines that belong together, in reading order. */
export type Block = {
  /** `table`: lines of several columns side by side; `picture`: one of `pictures`, without lines. */
  kind: 'text' | 'table' | 'picture';
  box: Box;
  /** Indexes into `lines`. */
  lines: number[];
  /** For a table: the lines of each column, from left to right, each from top to bottom. */
  columns: number[][];
};

/** An upright line that may separate cells, in points as displayed. */
export type Rule = { x: number; top: number; bottom: number };

/** One page as every operation sees it: maps a span of its text back to words and boxes. */
export type PageModel = {
  /** 1-based. */
  page: number;
  widthPt: number;
  heightPt: number;
  words: ModelWord[];
  lines: ModelLine[];
  /** In reading order. */
  blocks: Block[];
  /** The boxes of pictures on the page. */
  pictures: Box[];
  /** Sorted from left to right. */
  rules: readonly Rule[];
  /** The fields of its form, filled or not. */
  fields: readonly FormField[];
};
