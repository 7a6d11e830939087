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
import { defineTask, filesOfSource } from '@scriptorium/sandbox/children/define-task';
import { isKind } from '../files/unread/index.ts';
import { isBox } from '../results.ts';
import { isPageLayout } from './pages/layout.ts';

const isRedactedArea = isRecord({
  /** In points of the page as displayed. */
  box: isBox,
  /** The mark that replaces redacted text, such as `[PERSON]`, as readers see it. */
  mark: isString,
});
export type RedactedArea = Checked<typeof isRedactedArea>;

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
  /** The redacted areas. Recognised words that touch them are skipped. */
  redacted: isListOf(isRedactedArea),
});
export type PageLayoutRequest = Checked<typeof isPageLayoutRequest>;

/** The paths of the outputs; null for outputs that are not requested. */
const isOutputOptions = isRecord({
  markdown: isNullOr(isString),
  json: isNullOr(isString),
  /** JSONL, one chunk per line. */
  chunks: isNullOr(isString),
  /** The maximum number of tokens in a chunk. */
  chunkTokens: isNumber,
  /** The number of these tokens that repeat the end of the previous chunk. */
  overlapTokens: isNumber,
});
export type OutputOptions = Checked<typeof isOutputOptions>;

const isNormalizePagesRequest = isRecord({
  /** NDJSON, one `PageLayout` per line, in page order. */
  layoutsFile: isString,
  write: isOutputOptions,
});
export type NormalizePagesRequest = Checked<typeof isNormalizePagesRequest>;

const isNormalizeFileRequest = isRecord({
  path: isString,
  mime: isString,
  write: isOutputOptions,
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
const isAttachedFileInfo = isRecord({
  /** The name in the document, which may be unsafe for a file system. */
  filename: isNullOr(isString),
  /** The declared media type. */
  mime: isString,
  bytes: isByteCount,
});
export type AttachedFileInfo = Checked<typeof isAttachedFileInfo>;

/** The maximum number of embedded files that are written. */
export const maxAttachedFiles = 100;

const areAttachedFiles = (value: unknown): value is readonly AttachedFileInfo[] =>
  isListOf(isAttachedFileInfo)(value) && value.length <= maxAttachedFiles;
const isPartKind = (value: unknown): value is string => isString(value) && isKind(value);

const outputCounts = { chunks: isNumber, tokens: isNumber, characters: isNumber, pages: isNumber };

/** The result for a document. */
const isNormalizationResult = isRecord({
  ...outputCounts,
  /** The pages with less than 90% of their text in the Markdown. Empty for files without pages. */
  sparsePages: isListOf(isNumber),
  /** The embedded files that were written, in order. */
  attached: areAttachedFiles,
  /** The number of embedded files beyond `maxAttachedFiles`. */
  attachedLeftOut: isNumber,
  /** The kinds of parts that may contain text but were not read. */
  unread: isListOf(isPartKind),
});
export type NormalizationResult = Checked<typeof isNormalizationResult>;
/** The outputs that were written for a document. */
export type OutputCounts = Pick<NormalizationResult, keyof typeof outputCounts>;

const outputPathsOf = ({ markdown, json, chunks }: OutputOptions): string[] =>
  [markdown, json, chunks].filter((path) => path !== null);

export const normalizationTasks = {
  /** Reads a page of a PDF or picture as blocks in reading order. */
  readPageLayout: defineTask({
    request: isPageLayoutRequest,
    answer: isPageLayout,
    files: (request) => filesOfSource(request, request.pageFile),
  }),
  /** Writes a document for language models from the layouts of its pages. */
  normalizePages: defineTask({
    request: isNormalizePagesRequest,
    answer: isNormalizationResult,
    files: ({ layoutsFile, write }) => ({ reads: [layoutsFile], writes: outputPathsOf(write) }),
  }),
  /**
   * Reads a file without pages, in a format that defines headings and tables, and writes the
   * outputs.
   */
  normalizeFile: defineTask({
    request: isNormalizeFileRequest,
    answer: isNormalizationResult,
    files: ({ path, write, attachedFile }) => ({
      reads: [path],
      writes: [...outputPathsOf(write), ...(attachedFile === undefined ? [] : [attachedFile])],
    }),
  }),
};
