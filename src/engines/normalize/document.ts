import type { Box } from '../results.ts';

/**
 * How a stretch of text is set; the same marks in every kind of source. The text of a `formula` is
 * LaTeX, that of a `footnote` the label of the one it refers to.
 */
export type Mark =
  | 'bold'
  | 'italic'
  | 'code'
  | 'strike'
  | 'superscript'
  | 'subscript'
  | 'formula'
  | 'footnote';

/** A stretch of a block's text that is set in one way. */
export type Span = {
  text: string;
  marks: readonly Mark[];
  /** Where a link leads, as the source has it, never to code or embedded data; null without one. */
  href: string | null;
};

/** A cell of a table. Rows and columns are counted from 0. */
export type Cell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  /** Lines of several blocks in one cell are separated by line ends. */
  text: string;
  /** How `text` is set, where any of it is set apart or leads anywhere. */
  spans?: readonly Span[];
  box: Box | null;
};

/** Where a block comes from: every block leads back to its page and its place. */
type Origin = {
  /** 1-based, in the source; a sheet of a workbook is a page, other files without pages are page 1. */
  page: number;
  /** In points of the page as displayed; null where the source has no places. */
  box: Box | null;
  /** 0 to 1: 1 for text that was in the file, the recogniser's mean by letter for what was read. */
  confidence: number;
};

/** What all blocks of running text have. `text` is that of its spans, one after the other. */
type Text = Origin & { text: string; spans: readonly Span[] };

/** A block of a document, in reading order. */
export type DocBlock =
  | (Text & { role: 'heading' /** 1 (the title) to 6. */; level: number })
  | (Text & { role: 'paragraph' | 'quote' | 'caption' })
  | (Text & {
      role: 'list_item';
      /** 0 for the outermost list. */
      level: number;
      /** `1.`, `a)`, `•`: as it stands in the source; `-` where it is not known. */
      marker: string;
      ordered: boolean;
      /** A box to tick: ticked or not; null for other items. */
      checked: boolean | null;
    })
  | (Text & { role: 'footnote' /** What refers to it: `1`, `*`. */; label: string })
  /** Runs line by line, blanks and all. */
  | (Text & { role: 'code'; language: string | null })
  | (Text & { role: 'formula' })
  /** Told of in JSON and left out of Markdown and chunks: repeated on most pages. */
  | (Text & { role: 'page_header' | 'page_footer' })
  | (Origin & {
      role: 'table';
      rows: number;
      columns: number;
      /** In order of rows, then columns; places that a span covers have none. */
      cells: readonly Cell[];
      caption: string | null;
    })
  | (Origin & {
      role: 'picture' /** What the source says that it shows; null else. */;
      alt: string | null;
      /** What is written in it, where that is read: only JSON tells of it. */
      written?: string | null;
    });

/** A document as a language model is to read it, whatever it was. */
export type NormalDocument = {
  title: string | null;
  /** BCP 47 code that the source states; null else. */
  language: string | null;
  pages: readonly {
    page: number;
    widthPt: number | null;
    heightPt: number | null;
    name: string | null;
  }[];
  blocks: readonly DocBlock[];
};
