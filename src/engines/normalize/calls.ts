import type { Box } from '../results.ts';

/** What stands where something was redacted. */
export type RedactedPlace = {
  /** In points of the page as displayed. */
  box: Box;
  /** `[PERSON]`, as a reader is to see it. */
  mark: string;
};

/** A page of a PDF or a picture, to be read as blocks. */
export type PageLayoutRequest = {
  path: string;
  mime: string;
  /** 1-based, in the file at `path`. */
  page: number;
  /** What the page is called in the output: its number in the document the job was made for. */
  number: number;
  /** A `PageResult` as JSON: what `ocr` left of the page. */
  pageFile: string;
  /** Recognised words that touch these are not read. */
  redacted: readonly RedactedPlace[];
};

/** Where to write what; null for what is not wanted. */
export type Write = {
  markdown: string | null;
  json: string | null;
  /** JSONL, a chunk a line. */
  chunks: string | null;
  /** At most so many tokens in a chunk. */
  chunkTokens: number;
  /** So many of them are the end of the chunk before. */
  overlapTokens: number;
};

export type NormalizePagesRequest = {
  /** NDJSON, one `PageLayout` a line, in the order of pages. */
  layoutsFile: string;
  write: Write;
};

/** A file without pages: its own kind tells what is a heading and what a table. */
export type NormalizeFileRequest = {
  path: string;
  mime: string;
  write: Write;
  /** Whether black boxes stand in it where something was removed: they become marks. */
  blackedOut?: boolean;
};

/** What a document came to. */
export type Normalized = { chunks: number; tokens: number; characters: number; pages: number };
