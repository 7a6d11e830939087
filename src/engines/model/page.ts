import type { Glyph } from '../pdf/page-glyphs.ts';
import type { Box } from '../results.ts';

/** A word of the model: what it reads as, and where it stands. */
export type ModelWord = {
  text: string;
  /** Around all of it, in points of the page as displayed. */
  box: Box;
  /** 0 to 1; 1 for the page's own text. */
  confidence: number;
  source: 'pdf' | 'ocr';
  /** False for text in the PDF that is not drawn. */
  visible: boolean;
  /**
   * The glyph of each UTF-16 unit of `text`; null for recognised words, of which only the whole has
   * a place.
   */
  glyphs: readonly Glyph[] | null;
};

/** Words beside one another on one baseline, in reading order; columns are lines of their own. */
export type ModelLine = {
  /** Indexes into `words`. */
  words: number[];
  box: Box;
  /** On the page turned so that the line runs level: where it starts, ends and rests, in points. */
  from: number;
  to: number;
  base: number;
  size: number;
  /** By how much, in degrees, clockwise as displayed, it was turned from level. */
  angle: number;
};

/** Lines that belong together, in reading order. */
export type Block = {
  /** `table`: lines of several columns side by side; `picture`: one of `pictures`, without lines. */
  kind: 'text' | 'table' | 'picture';
  box: Box;
  /** Indexes into `lines`. */
  lines: number[];
  /** Of a table: for each column, from left to right, its lines from top to bottom. */
  columns: number[][];
};

/** One page as every operation sees it: from a span of its text back to words and boxes. */
export type PageModel = {
  /** 1-based. */
  page: number;
  widthPt: number;
  heightPt: number;
  words: ModelWord[];
  lines: ModelLine[];
  /** In reading order. */
  blocks: Block[];
  /** Where the page shows pictures. */
  pictures: Box[];
};

/** The smallest box around several; undefined around none. */
export function hull(boxes: Iterable<Box>): Box | undefined {
  let all: Box | undefined;
  for (const [x0, y0, x1, y1] of boxes) {
    all = all
      ? [Math.min(all[0], x0), Math.min(all[1], y0), Math.max(all[2], x1), Math.max(all[3], y1)]
      : [x0, y0, x1, y1];
  }
  return all;
}

/** Area of what two boxes share. */
export function shared(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

export function area([x0, y0, x1, y1]: Box): number {
  return Math.max(0, x1 - x0) * Math.max(0, y1 - y0);
}
