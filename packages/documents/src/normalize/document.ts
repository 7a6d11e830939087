import type { Box } from '../results.ts';

/**
 * The formatting of a stretch of text, which is the same for every kind of source. A `formula`
 * contains LaTeX. A `footnote` contains the label of the footnote that it refers to.
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

/** A stretch of a block's text with uniform formatting. */
export type Span = {
  text: string;
  marks: readonly Mark[];
  /** The target of a link as in the source; never code or embedded data. Null without a link. */
  href: string | null;
};

/** A cell of a table. Rows and columns are counted from 0. */
export type Cell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  /** The text of the cell. If it contains several blocks, line ends separate them. */
  text: string;
  /** The formatting of `text`. Absent for plain text. */
  spans?: readonly Span[];
  box: Box | null;
};

/** The origin of a block. Every block refers to its page and position in the source. */
type Origin = {
  /** 1-based. A sheet of a workbook is a page. Other files without pages have a single page. */
  page: number;
  /** In points of the page as displayed; null for sources without positions. */
  box: Box | null;
  /** For a sheet of a workbook, the first cell of the block, counted from 0. */
  at?: { row: number; column: number };
  /**
   * From 0 to 1. Text from the file has 1. Recognised text has the mean confidence of its letters.
   */
  confidence: number;
};

/** The common fields of blocks of running text. `text` is the joined text of `spans`. */
type TextFields = Origin & { text: string; spans: readonly Span[] };

/** A block of a document, in reading order. */
export type DocBlock =
  | (TextFields & { role: 'heading' /** 1 (the title) to 6. */; level: number })
  | (TextFields & { role: 'paragraph' | 'quote' | 'caption' })
  | (TextFields & {
      role: 'list_item';
      /** The depth of nesting, from 0 for the outermost list. */
      level: number;
      /** The marker in the source, such as `1.`, `a)` or `•`; `-` if it is unknown. */
      marker: string;
      ordered: boolean;
      /** Whether the item's checkbox is checked; null for items without a checkbox. */
      checked: boolean | null;
    })
  | (TextFields & { role: 'footnote' /** Its mark in the text: `1`, `*`. */; label: string })
  /** Preformatted text. Line ends and spaces are kept. */
  | (TextFields & { role: 'code'; language: string | null })
  | (TextFields & { role: 'formula' })
  /** Repeated on most pages. Written only to JSON, not to Markdown and chunks. */
  | (TextFields & { role: 'page_header' | 'page_footer' })
  | (Origin & {
      role: 'table';
      rows: number;
      columns: number;
      /** In order of rows, then columns. Positions covered by a span have no cell. */
      cells: readonly Cell[];
      caption: string | null;
    })
  | (Origin & {
      role: 'picture' /** The source's description; null without one. */;
      alt: string | null;
      /** The text in the picture, if it is read. Written only to JSON. */
      written?: string | null;
    });

/** A file inside a document, such as an attachment of a message. */
export type AttachedFile = {
  /** The name in the document, which may be unsafe for a file system. */
  filename: string | null;
  /** The declared media type. */
  mime: string;
  content: Uint8Array;
};

/** A document for language models, read from any source. */
export type NormalDocument = {
  title: string | null;
  /** The BCP 47 code that the source declares; null without one. */
  language: string | null;
  pages: readonly {
    page: number;
    widthPt: number | null;
    heightPt: number | null;
    name: string | null;
  }[];
  blocks: readonly DocBlock[];
  /** The embedded files. Blocks contain their names but not their content. */
  attached?: readonly AttachedFile[];
  /** The kinds of parts that may contain text but are not read, each once. */
  unread?: readonly string[];
};
