import type { PageRules } from '../../../pdf/page-rules.ts';
import type { Box } from '../../../results.ts';

export type { PageRules, Rule } from '../../../pdf/page-rules.ts';

/** A word of a page that runs level; all places in points of the page as displayed, y down. */
export type TableWord = {
  text: string;
  box: Box;
  /** Where it rests: the y of its baseline; for recognised words the foot of their line. */
  base: number;
  /** Of its font; for recognised words about the height of their line. */
  size: number;
  bold: boolean;
};

/** A page, or a part of one, to be searched for tables. */
export type TablePage = PageRules & {
  widthPt: number;
  heightPt: number;
  /** In any order; those set at an angle are left out, since no table is read from them. */
  words: readonly TableWord[];
};

/** A cell of a table found. Rows and columns are counted from 0; columns from where reading begins. */
export type FoundCell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  box: Box;
  /** Indices into the page's words, in reading order; none for an empty cell. */
  words: number[];
};

export type FoundTable = {
  box: Box;
  rows: number;
  columns: number;
  /** So many rows at the top are heads of columns. */
  headerRows: number;
  /** In order of rows, then columns; every place is covered by exactly one cell. */
  cells: FoundCell[];
  /** What told where its cells are: lines around them, some lines, or nothing but the text's own order. */
  by: 'lattice' | 'rules' | 'alignment';
};
