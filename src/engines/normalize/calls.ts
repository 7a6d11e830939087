import { type Box, hasFields, isListOf, isNumber } from '../results.ts';

/** The mark in place of redacted text. */
export type RedactedPlace = {
  /** In points of the page as displayed. */
  box: Box;
  /** `[PERSON]`, as readers see it. */
  mark: string;
};

/** A page of a PDF or a picture to read as blocks. */
export type PageLayoutRequest = {
  path: string;
  mime: string;
  /** 1-based, in the file at `path`. */
  page: number;
  /** The page's number in the output: that of the document which the job was created for. */
  number: number;
  /** A `PageResult` as JSON: the result of `ocr` for the page. */
  pageFile: string;
  /** Recognised words that touch these are skipped. */
  redacted: readonly RedactedPlace[];
};

/** Where to write the outputs; null for those that are not requested. */
export type Write = {
  markdown: string | null;
  json: string | null;
  /** JSONL, one chunk per line. */
  chunks: string | null;
  /** The maximum number of tokens in a chunk. */
  chunkTokens: number;
  /** How many of them repeat the end of the previous chunk. */
  overlapTokens: number;
};

export type NormalizePagesRequest = {
  /** NDJSON, one `PageLayout` per line, in page order. */
  layoutsFile: string;
  write: Write;
};

/** A file without pages: its format defines headings and tables. */
export type NormalizeFileRequest = {
  path: string;
  mime: string;
  write: Write;
  /** Whether it has black boxes in place of removed text: they become marks. */
  blackedOut?: boolean;
};

/** What was written of a document. */
export type Written = { chunks: number; tokens: number; characters: number; pages: number };

/** The result for a document. */
export type Normalized = Written & {
  /** The pages with less than 90% of their text in the Markdown; none for files without pages. */
  sparsePages: readonly number[];
};

export function isNormalized(value: unknown): value is Normalized {
  return hasFields(value, {
    chunks: isNumber,
    tokens: isNumber,
    characters: isNumber,
    pages: isNumber,
    sparsePages: isListOf(isNumber),
  });
}
