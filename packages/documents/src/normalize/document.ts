import type { Box } from '../results.ts';

/**
 * The formatting of a stretch of text; the same marks for every kind of source. The text of a `formula` is
 * LaTeX, that of a `footnote` the label of the footnote it refers to.
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
  /** The target of a link, as in the source, never code or embedded data; null without one. */
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
  /** The formatting of `text`, if it has formatting or links. */
  spans?: readonly Span[];
  box: Box | null;
};

/** The origin of a block: every block refers back to its page and position. */
type Origin = {
  /** 1-based, in the source; a sheet of a workbook is a page, other files without pages are page 1. */
  page: number;
  /** In points of the page as displayed; null for sources without positions. */
  box: Box | null;
  /** Of a sheet of a workbook: the cell in which the block begins, counted from 0. */
  at?: { row: number; column: number };
  /** 0 to 1: 1 for text from the file, the recogniser's mean by letter for recognised text. */
  confidence: number;
};

/** Common fields of blocks of running text. `text` is that of its spans, joined. */
type Text = Origin & { text: string; spans: readonly Span[] };

/** A block of a document, in reading order. */
export type DocBlock =
  | (Text & { role: 'heading' /** 1 (the title) to 6. */; level: number })
  | (Text & { role: 'paragraph' | 'quote' | 'caption' })
  | (Text & {
      role: 'list_item';
      /** 0 for the outermost list. */
      level: number;
      /** `1.`, `a)`, `•`: as in the source; `-` if it is unknown. */
      marker: string;
      ordered: boolean;
      /** A checkbox: checked or not; null for other items. */
      checked: boolean | null;
    })
  | (Text & { role: 'footnote' /** The reference to it: `1`, `*`. */; label: string })
  /** Preformatted: lines and spaces are kept. */
  | (Text & { role: 'code'; language: string | null })
  | (Text & { role: 'formula' })
  /** Only in JSON, not in Markdown and chunks: repeated on most pages. */
  | (Text & { role: 'page_header' | 'page_footer' })
  | (Origin & {
      role: 'table';
      rows: number;
      columns: number;
      /** In order of rows, then columns; places covered by a span have none. */
      cells: readonly Cell[];
      caption: string | null;
    })
  | (Origin & {
      role: 'picture' /** The source's description; null without one. */;
      alt: string | null;
      /** The text in it, if it is read; only in JSON. */
      written?: string | null;
    });

/** A file inside a document, such as an attachment of a message. */
export type AttachedFile = {
  /** As the document names it: not safe for a file system. */
  filename: string | null;
  /** The declared media type. */
  mime: string;
  content: Uint8Array;
};

/** A document for language models, from any source. */
export type NormalDocument = {
  title: string | null;
  /** BCP 47 code stated by the source, else null. */
  language: string | null;
  pages: readonly {
    page: number;
    widthPt: number | null;
    heightPt: number | null;
    name: string | null;
  }[];
  blocks: readonly DocBlock[];
  /** Files inside it that its blocks name without their content. */
  attached?: readonly AttachedFile[];
  /** The kinds of parts that may have text but are not read; each once. */
  unread?: readonly string[];
};
