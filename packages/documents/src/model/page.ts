import type { FormField } from '../pdf/form-fields.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box, Word } from '../results.ts';

/** A word of the model: its text and its position. */
export type ModelWord = Omit<Word, 'line'> & {
  /** False for text of the PDF that is not drawn. */
  visible: boolean;
  /**
   * The glyph of each UTF-16 unit of `text`; null for recognised words, which only have a position
   * as a whole.
   */
  glyphs: readonly Glyph[] | null;
  /** Whether the word continues the previous word. Only one of the two was recognised. */
  joined?: true;
};

/** Adjacent words on one baseline, in reading order. Columns are separate lines. */
export type ModelLine = {
  /** Indexes into `words`. */
  words: number[];
  box: Box;
  /**
   * The start, end and baseline of the line on the page rotated so that the line is level, in
   * points.
   */
  from: number;
  to: number;
  base: number;
  size: number;
  /** The angle of the line in degrees, clockwise as displayed. */
  angle: number;
};

/** Lines that form a unit, in reading order. */
export type Block = {
  /**
   * `table`: lines of several columns side by side. `picture`: one of `pictures`, without lines.
   */
  kind: 'text' | 'table' | 'picture';
  box: Box;
  /** Indexes into `lines`. */
  lines: number[];
  /**
   * For a table, the lines of each column. Columns are from left to right, lines from top to
   * bottom.
   */
  columns: number[][];
};

/** An upright line that may separate cells, in points as displayed. */
export type Rule = { x: number; top: number; bottom: number };

/** The model of a page that all operations share. Maps a span of text to words and boxes. */
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
  /** The fields of the form, filled or empty. */
  fields: readonly FormField[];
};
