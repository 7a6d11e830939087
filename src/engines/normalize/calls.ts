import { isKind } from '../files/unread/index.ts';
import { type Box, hasFields, isListOf, isNumber, isString } from '../results.ts';

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
  /** Where to write the files inside it, one after the other; they are not written by default. */
  attachedFile?: string;
};

/** A file inside a document, as written to `attachedFile`. */
export type Attached = {
  /** As the document names it: not safe for a file system. */
  filename: string | null;
  /** The declared media type. */
  mime: string;
  bytes: number;
};

/** The maximum number of files inside a document that are written. */
export const maxAttached = 100;

/** What was written of a document. */
export type Written = { chunks: number; tokens: number; characters: number; pages: number };

/** The result for a document. */
export type Normalized = Written & {
  /** The pages with less than 90% of their text in the Markdown; none for files without pages. */
  sparsePages: readonly number[];
  /** The files inside the document that were written, in order. */
  attached: readonly Attached[];
  /** How many more there are. */
  attachedLeftOut: number;
  /** The kinds of parts that may have text, but were not read. */
  unread: readonly string[];
};

export function isNormalized(value: unknown): value is Normalized {
  return hasFields(value, {
    chunks: isNumber,
    tokens: isNumber,
    characters: isNumber,
    pages: isNumber,
    sparsePages: isListOf(isNumber),
    attached: (value) => isListOf(isAttached)(value) && (value as []).length <= maxAttached,
    attachedLeftOut: isNumber,
    unread: isListOf(isPartKind),
  });
}

const isPartKind = (value: unknown): boolean => isString(value) && isKind(value);

const isAttached = (value: unknown): boolean =>
  hasFields(value, {
    filename: (name) => name === null || isString(name),
    mime: isString,
    bytes: (bytes) => Number.isSafeInteger(bytes) && Number(bytes) > 0,
  });
