import {
  type Check,
  type Checked,
  isBoolean,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isString,
} from '@scriptorium/sandbox/checks';
import { defineTask, filesOfSource } from '@scriptorium/sandbox/children/define-task';
import type { Models } from '../ocr/tesseract/tessdata.ts';
import {
  isAssemblyResult,
  isBox,
  isEmptyPage,
  isInspection,
  isPageResult,
  isSourceSummary,
} from '../results.ts';

const sourceFields = { path: isString, mime: isString };
const isSource = isRecord(sourceFields);

const isOwnTextRequest = isRecord({
  ...sourceFields,
  /** Receives one `PageText` as a line of JSON for each page with text. */
  outPath: isString,
});
export type OwnTextRequest = Checked<typeof isOwnTextRequest>;

/** The number of pages, with or without text. */
const isOwnTextResult = isRecord({ pages: isNumber });
export type OwnTextResult = Checked<typeof isOwnTextResult>;

/** A page and the text that the file contains for it. */
export const isPageText = isRecord({ page: isNumber, text: isString });
export type PageText = Checked<typeof isPageText>;

const isPageWordsRequest = isRecord({
  ...sourceFields,
  /** 1-based. */
  page: isNumber,
  /** Receives `PageWords` as JSON. */
  outPath: isString,
});
export type PageWordsRequest = Checked<typeof isPageWordsRequest>;

/** The number of words written. */
const isPageWordsResult = isRecord({ words: isNumber });
export type PageWordsResult = Checked<typeof isPageWordsResult>;

/** The maximum number of words of a page. Later words are left out. */
export const maxPageWords = 20_000;

const isPlacedWord = isRecord({ text: isString, box: isBox, line: isNumber });
const arePageWords = (words: unknown): words is Checked<typeof isPlacedWord>[] =>
  isListOf(isPlacedWord)(words) && words.length <= maxPageWords;

/** The words of a page in reading order. Boxes are in points of the page as displayed. */
export const isPageWords = isRecord({ widthPt: isNumber, heightPt: isNumber, words: arePageWords });
export type PageWords = Checked<typeof isPageWords>;

export const isModels: Check<Models> = isRecord({
  tessdata: (value): value is Record<string, string> =>
    typeof value === 'object' && Object.values(value ?? {}).every(isString),
  native: isNullOr(isString),
  memoryBytes: isNumber,
});

const isRecogniseRequest = isRecord({
  ...sourceFields,
  /** 1-based. */
  page: isNumber,
  /** The Tesseract codes of the languages. Default: `["eng"]`. */
  languages: isOptional(isListOf(isString)),
  /**
   * The treatment of existing text: `skip` pages with text (default), `redo` an invisible layer, or
   * `force` recognition.
   */
  existingText: isOptional(isOneOf('skip', 'redo', 'force')),
  /** Whether to turn pages upright in the PDF. Default: true. */
  rotate: isOptional(isBoolean),
  /** Whether to straighten skewed pages in the PDF. Default: false. */
  deskew: isOptional(isBoolean),
  models: isModels,
});

const textFields = {
  /** NDJSON: one `PageResult` per line, in page order. */
  pagesFile: isString,
  /** The pages to leave empty, each with the reason, in page order. Default: none. */
  empty: isOptional(isListOf(isEmptyPage)),
  outPath: isString,
};
const isTextRequest = isRecord(textFields);
export type TextRequest = Checked<typeof isTextRequest>;

const isPdfRequest = isRecord({
  ...sourceFields,
  ...textFields,
  /** Whether to write PDF/A-2b. Default: false. */
  pdfa: isOptional(isBoolean),
});
export type PdfRequest = Checked<typeof isPdfRequest>;

const filesOfTextRequest = ({ pagesFile, outPath }: TextRequest) => ({
  reads: [pagesFile],
  writes: [outPath],
});

/** The tasks that inspect sources and read their text. */
export const textTasks = {
  /** Counts the pages of a source. The pages of a PDF are not read. */
  summarise: defineTask({
    request: isSource,
    answer: isSourceSummary,
    files: (file) => filesOfSource(file),
  }),
  inspect: defineTask({
    request: isSource,
    answer: isInspection,
    files: (file) => filesOfSource(file),
  }),
  /** Reads the text that a file contains, without recognition. */
  readOwnText: defineTask({
    request: isOwnTextRequest,
    answer: isOwnTextResult,
    files: ({ path, outPath }) => ({ reads: [path], writes: [outPath] }),
  }),
  /** Reads the words of a page of a PDF or picture with their positions, without recognition. */
  readPageWords: defineTask({
    request: isPageWordsRequest,
    answer: isPageWordsResult,
    files: (request) => ({ ...filesOfSource(request), writes: [request.outPath] }),
  }),
  assembleSearchablePdf: defineTask({
    request: isPdfRequest,
    answer: isAssemblyResult,
    files: ({ path, pagesFile, outPath }) => ({ reads: [path, pagesFile], writes: [outPath] }),
  }),
  assembleText: defineTask({
    request: isTextRequest,
    answer: isAssemblyResult,
    files: filesOfTextRequest,
  }),
  assembleWords: defineTask({
    request: isTextRequest,
    answer: isAssemblyResult,
    files: filesOfTextRequest,
  }),
};

export const recognitionTasks = {
  recognisePage: defineTask({
    request: isRecogniseRequest,
    answer: isPageResult,
    files: (request) => filesOfSource(request),
  }),
};
