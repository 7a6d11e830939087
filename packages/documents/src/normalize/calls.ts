import {
  type Checked,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOptional,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask, ofSource } from '@scriptorium/sandbox/children/define-task';
import { isKind } from '../files/unread/index.ts';
import { isBox } from '../results.ts';
import { isPageLayout } from './pages/layout.ts';

const isRedactedPlace = isRecord({
  /** In points of the page as displayed. */
  box: isBox,
  /** The mark in place of redacted text, such as `[PERSON]`, as readers see it. */
  mark: isString,
});
export type RedactedPlace = Checked<typeof isRedactedPlace>;

const isPageLayoutRequest = isRecord({
  path: isString,
  mime: isString,
  /** 1-based, in the file at `path`. */
  page: isNumber,
  /** The page's number in the output: that of the document for which the job was created. */
  number: isNumber,
  /** A `PageResult` as JSON: the result of `ocr` for the page. */
  pageFile: isString,
  /** Recognised words that touch these are skipped. */
  redacted: isListOf(isRedactedPlace),
});
export type PageLayoutRequest = Checked<typeof isPageLayoutRequest>;

/** Where to write the outputs; null for those that are not requested. */
const isWrite = isRecord({
  markdown: isNullOr(isString),
  json: isNullOr(isString),
  /** JSONL, one chunk per line. */
  chunks: isNullOr(isString),
  /** The maximum number of tokens in a chunk. */
  chunkTokens: isNumber,
  /** The number of those tokens that repeat the end of the previous chunk. */
  overlapTokens: isNumber,
});
export type Write = Checked<typeof isWrite>;

const isNormalizePagesRequest = isRecord({
  /** NDJSON, one `PageLayout` per line, in page order. */
  layoutsFile: isString,
  write: isWrite,
});
export type NormalizePagesRequest = Checked<typeof isNormalizePagesRequest>;

const isNormalizeFileRequest = isRecord({
  path: isString,
  mime: isString,
  write: isWrite,
  /** Whether it has black boxes in place of removed text: they become placeholders. */
  blackedOut: isOptional(isBoolean),
  /** Where to write the files inside it, one after the other; they are not written by default. */
  attachedFile: isOptional(isString),
});
export type NormalizeFileRequest = Checked<typeof isNormalizeFileRequest>;

const isByteCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** A file inside a document, as written to `attachedFile`. */
const isAttached = isRecord({
  /** As the document names it: not safe for a file system. */
  filename: isNullOr(isString),
  /** The declared media type. */
  mime: isString,
  bytes: isByteCount,
});
export type Attached = Checked<typeof isAttached>;

/** The maximum number of files inside a document that are written. */
export const maxAttached = 100;

const areAttached = (value: unknown): value is readonly Attached[] =>
  isListOf(isAttached)(value) && value.length <= maxAttached;
const isPartKind = (value: unknown): value is string => isString(value) && isKind(value);

const written = { chunks: isNumber, tokens: isNumber, characters: isNumber, pages: isNumber };

/** The result for a document. */
const isNormalized = isRecord({
  ...written,
  /** The pages with less than 90% of their text in the Markdown; none for files without pages. */
  sparsePages: isListOf(isNumber),
  /** The files inside the document that were written, in order. */
  attached: areAttached,
  /** The number of files beyond that limit. */
  attachedLeftOut: isNumber,
  /** The kinds of parts that may have text, but were not read. */
  unread: isListOf(isPartKind),
});
export type Normalized = Checked<typeof isNormalized>;
/** The written outputs of a document. */
export type Written = Pick<Normalized, keyof typeof written>;

const writesOf = ({ markdown, json, chunks }: Write): string[] =>
  [markdown, json, chunks].filter((path) => path !== null);

export const normalizationTasks = {
  /** Reads a page of a PDF or picture as blocks in reading order. */
  readPageLayout: defineTask({
    request: isPageLayoutRequest,
    answer: isPageLayout,
    files: (request) => ofSource(request, request.pageFile),
  }),
  /** Writes a document for language models from the layouts of its pages. */
  normalizePages: defineTask({
    request: isNormalizePagesRequest,
    answer: isNormalized,
    files: ({ layoutsFile, write }) => ({ reads: [layoutsFile], writes: writesOf(write) }),
  }),
  /** Reads a file without pages, whose format defines headings and tables, and writes the outputs. */
  normalizeFile: defineTask({
    request: isNormalizeFileRequest,
    answer: isNormalized,
    files: ({ path, write, attachedFile }) => ({
      reads: [path],
      writes: [...writesOf(write), ...(attachedFile === undefined ? [] : [attachedFile])],
    }),
  }),
};
