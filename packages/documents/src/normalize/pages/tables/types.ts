import type { PageWord } from '../../../model/words/word.ts';
import type { PageRules } from '../../../pdf/page-rules.ts';
import type { Box } from '../../../results.ts';

export type { PageRules, Rule } from '../../../pdf/page-rules.ts';

/** The properties of a word that table detection uses. */
export type TableWord = Pick<PageWord, 'text' | 'box' | 'base' | 'size' | 'bold'> & {
  /** Whether the page content has a space beside the word; undefined if the page has no spaces. */
  blankBefore?: boolean | undefined;
  blankAfter?: boolean | undefined;
};

/** A page, or part of a page, to search for tables. */
export type TablePage = PageRules & {
  widthPt: number;
  heightPt: number;
  /** The words in any order, without words at an angle, which are never part of a table. */
  words: readonly TableWord[];
  /** The boxes of words of running text, however far apart they are. */
  running?: ReadonlySet<Box>;
};

/**
 * A cell of a detected table. Rows and columns are counted from 0, columns in reading direction.
 */
export type FoundCell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  box: Box;
  /** Indices into the page's words, in reading order. An empty cell has no indices. */
  words: number[];
};

export type FoundTable = {
  box: Box;
  rows: number;
  columns: number;
  /** The number of header rows at the top. */
  headerRows: number;
  /** Ordered by rows, then columns. Exactly one cell covers each position. */
  cells: FoundCell[];
  /** The evidence for the cells: lines around them, some lines, or only the alignment of text. */
  foundBy: 'lattice' | 'rules' | 'alignment';
};
