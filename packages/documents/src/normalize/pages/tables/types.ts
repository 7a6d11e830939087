import type { PageWord } from '../../../model/words/word.ts';
import type { PageRules } from '../../../pdf/page-rules.ts';
import type { Box } from '../../../results.ts';

export type { PageRules, Rule } from '../../../pdf/page-rules.ts';

/** The properties of a word that the search for tables needs. */
export type TableWord = Pick<PageWord, 'text' | 'box' | 'base' | 'size' | 'bold'> & {
  /** Whether the content has a space beside it; undefined where the page does without spaces. */
  blankBefore?: boolean | undefined;
  blankAfter?: boolean | undefined;
};

/** A page, or a part of one, to search for tables. */
export type TablePage = PageRules & {
  widthPt: number;
  heightPt: number;
  /** In any order, without those at an angle, since no table is read from them. */
  words: readonly TableWord[];
  /** The boxes of words that are running text, however far they are from each other. */
  running?: ReadonlySet<Box>;
};

/** A cell of a detected table. Rows and columns are counted from 0; columns from where reading begins. */
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
  /** The number of rows at the top that are heads of columns. */
  headerRows: number;
  /** In order of rows, then columns; every place is covered by exactly one cell. */
  cells: FoundCell[];
  /** How its cells were found: by lines around them, by some lines, or only by the alignment of text. */
  by: 'lattice' | 'rules' | 'alignment';
};
