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
  /** The mark that replaces redacted text, such as `[PERSON]`, as readers see it. */
  mark: isString,
});
export type RedactedPlace = Checked<typeof isRedactedPlace>;

const isPageLayoutRequest = isRecord({
  path: isString,
  mime: isString,
  /** 1-based, in the file at `path`. */
  page: isNumber,
  /**
   * The page number in the output, which is the number in the document that the job was created
   * for.
   */
  number: isNumber,
  /** A file with one `PageResult` as JSON: the result of `ocr` for the page. */
  pageFile: isString,
  /** The redacted places. Recognised words that touch them are skipped. */
  redacted: isListOf(isRedactedPlace),
});
export type PageLayoutRequest = Checked<typeof isPageLayoutRequest>;

/** The paths of the outputs; null for outputs that are not requested. */
const isWrite = isRecord({
  markdown: isNullOr(isString),
  json: isNullOr(isString),
  /** JSONL, one chunk per line. */
  chunks: isNullOr(isString),
  /** The maximum number of tokens in a chunk. */
  chunkTokens: isNumber,
  /** The number of these tokens that repeat the end of the previous chunk. */
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
  /** Whether the file has black boxes in place of removed text. Marks replace the boxes. */
  blackedOut: isOptional(isBoolean),
  /**
   * The path for the embedded files, which are written one after the other. Default: not written.
   */
  attachedFile: isOptional(isString),
});
export type NormalizeFileRequest = Checked<typeof isNormalizeFileRequest>;

const isByteCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

/** A file inside a document, as written to `attachedFile`. */
const isAttached = isRecord({
  /** The name in the document, which may be unsafe for a file system. */
  filename: isNullOr(isString),
  /** The declared media type. */
  mime: isString,
  bytes: isByteCount,
});
export type Attached = Checked<typeof isAttached>;

/** The maximum number of embedded files that are written. */
export const maxAttached = 100;

const areAttached = (value: unknown): value is readonly Attached[] =>
  isListOf(isAttached)(value) && value.length <= maxAttached;
const isPartKind = (value: unknown): value is string => isString(value) && isKind(value);

const written = { chunks: isNumber, tokens: isNumber, characters: isNumber, pages: isNumber };

/** The result for a document. */
const isNormalized = isRecord({
  ...written,
  /** The pages with less than 90% of their text in the Markdown. Empty for files without pages. */
  sparsePages: isListOf(isNumber),
  /** The embedded files that were written, in order. */
  attached: areAttached,
  /** The number of embedded files beyond `maxAttached`. */
  attachedLeftOut: isNumber,
  /** The kinds of parts that may contain text but were not read. */
  unread: isListOf(isPartKind),
});
export type Normalized = Checked<typeof isNormalized>;
/** The outputs that were written for a document. */
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
  /**
   * Reads a file without pages, in a format that defines headings and tables, and writes the
   * outputs.
   */
  normalizeFile: defineTask({
    request: isNormalizeFileRequest,
    answer: isNormalized,
    files: ({ path, write, attachedFile }) => ({
      reads: [path],
      writes: [...writesOf(write), ...(attachedFile === undefined ? [] : [attachedFile])],
    }),
  }),
};
