import { type CallOptions, createEngine, type EngineOptions } from './children/engine.ts';
import {
  type Classified,
  type ClassifiedPage,
  type ClassifyFileRequest,
  type ClassifyPageRequest,
  isClassified,
  isClassifiedPage,
} from './classify/calls.ts';
import type {
  Normalized,
  NormalizeFileRequest,
  NormalizePagesRequest,
  PageLayoutRequest,
  Write,
} from './normalize/calls.ts';
import { isPageLayout, type PageLayout } from './normalize/pages/layout.ts';
import { chooseRecogniser, type Recogniser } from './ocr/native.ts';
import { type HowRead, isReadByOwnMeans, ownLanguages } from './ocr/own-means.ts';
import { availableLanguages, checkLanguages, findTessdata, type Models } from './ocr/tessdata.ts';
import type {
  CheckRequest,
  FindRequest,
  RedactedInKind,
  RedactInKindRequest,
  RedactPagesRequest,
  Spread,
  SpreadRequest,
} from './redact/calls.ts';
import type { Check, PagePlan, RemovalReport } from './redact/plan.ts';
import {
  isChecks,
  isPagePlan,
  isRedactedInKind,
  isRemovalReport,
  isSpread,
} from './redact/results.ts';
import {
  type Assembled,
  type EmptyPage,
  type Inspection,
  isAssembled,
  isInspection,
  isNormalized,
  isPageResult,
  type PageResult,
} from './results.ts';

export type { CallOptions } from './children/engine.ts';
export type { Classified, ClassifiedPage, LabelScore, Signal } from './classify/calls.ts';
export { combine as combineClassified } from './classify/combine.ts';
export { EngineError, type EngineErrorCode, engineErrorCodes } from './errors.ts';
export type { Normalized } from './normalize/calls.ts';
export type { PageLayout } from './normalize/pages/layout.ts';
export type { KnownValue, PlannedPage, RedactedInKind } from './redact/calls.ts';
export type { Check, PagePlan, RemovalReport } from './redact/plan.ts';
export type {
  Assembled,
  Box,
  EmptyPage,
  InspectedPage,
  Inspection,
  Line,
  PageResult,
  Word,
} from './results.ts';

type EnginesOptions = EngineOptions & {
  /** Folders searched first for Tesseract's `<language>.traineddata`. */
  tessdata?: readonly string[];
  /** The machine's `tesseract` (5 or newer), tesseract.js, or whichever is there: `auto`. */
  recogniser?: Recogniser;
};

export type SourceFile = { path: string; mime: string };

export type RecogniseRequest = SourceFile & {
  /** 1-based. */
  page: number;
  /** Tesseract codes; `["eng"]` unless given. */
  languages?: readonly string[];
  existingText?: 'skip' | 'redo' | 'force';
  /** Find out how the page must be turned to read upright, and turn it in the PDF. */
  rotate?: boolean;
  /** Straighten leaning pages in the PDF. */
  deskew?: boolean;
};

/** How a page is read where nothing else is asked for. */
const defaultReading: HowRead = { languages: ['eng'], rotate: true, existingText: 'skip' };

type AssembleTextRequest = {
  /** Page results as NDJSON, one `PageResult` a line, in the order of pages. */
  pagesFile: string;
  /** Pages to be left empty, saying why; in the order of pages. */
  empty?: readonly EmptyPage[];
  outPath: string;
};
type AssemblePdfRequest = SourceFile & AssembleTextRequest;

export type Engines = {
  inspect(source: SourceFile, options: CallOptions): Promise<Inspection>;
  recognisePage(request: RecogniseRequest, options: CallOptions): Promise<PageResult>;
  assembleSearchablePdf(request: AssemblePdfRequest, options: CallOptions): Promise<Assembled>;
  assembleText(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
  assembleWords(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
  /** Finds what has to go from a page. */
  findPage(request: FindRequest, options: CallOptions): Promise<PagePlan>;
  /** Adds to the plans of a document, on each page, what was found on others. */
  spreadValues(request: SpreadRequest, options: CallOptions): Promise<Spread>;
  /** Makes a new file of the pages named, without what has to go. */
  redactPages(request: RedactPagesRequest, options: CallOptions): Promise<RemovalReport>;
  /** Looks with other eyes at one page of a redacted file. */
  checkPage(request: CheckRequest & { outputPage: number }, options: CallOptions): Promise<Check[]>;
  /** Looks at what concerns a redacted file as a whole. */
  checkFile(request: Omit<CheckRequest, 'outputPage'>, options: CallOptions): Promise<Check[]>;
  /** Redacts a file without pages in its own kind, and checks what it made. */
  redactInKind(request: RedactInKindRequest, options: CallOptions): Promise<RedactedInKind>;
  /** Reads one page of a PDF or picture as blocks in reading order. */
  readPageLayout(request: PageLayoutRequest, options: CallOptions): Promise<PageLayout>;
  /** Writes one document for language models out of the layouts of its pages. */
  normalizePages(request: NormalizePagesRequest, options: CallOptions): Promise<Normalized>;
  /** Reads a file without pages as a document, and writes what is wanted of it. */
  normalizeFile(request: NormalizeFileRequest, options: CallOptions): Promise<Normalized>;
  /** What a page is taken for, by its text and shape. */
  classifyPage(request: ClassifyPageRequest, options: CallOptions): Promise<ClassifiedPage>;
  /** What a file without pages is taken for. */
  classifyFile(request: ClassifyFileRequest, options: CallOptions): Promise<Classified>;
  /** Languages that can be recognised here. */
  languages(): string[];
  /** Throws EngineError when one of the languages is malformed or not installed. */
  checkLanguages(languages: readonly string[]): void;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/**
 * The document engines: every call runs in a killable child process that serves one project, apart
 * from the machine as far as it allows, with a deadline, a memory cap and no secrets, and throws
 * EngineError on failure. Nothing here uses the network.
 */
export function createEngines(options: EnginesOptions): Engines {
  const tessdata = findTessdata({ dirs: options.tessdata ?? [] });
  const native = chooseRecogniser(options.recogniser ?? 'auto');
  const models: Models = { tessdata, native, memoryBytes: options.memoryBytes };
  const seen = {
    reads: Object.values(tessdata),
    programs: native === null ? [] : [native],
  };
  const languages = defaultReading.languages.filter((language) => language in tessdata);
  const warmUp = { models, languages };
  const { call, close } = createEngine('document', import.meta.url, options, seen, warmUp);
  return {
    inspect: (input, call_) =>
      call({ name: 'inspect', input, ...source(input) }, call_, isInspection),
    recognisePage: async (request, call_) => {
      const { languages = ['eng'], existingText = 'skip', rotate = true, deskew = false } = request;
      checkLanguages(languages, tessdata);
      const { path, mime, page } = request;
      const input = {
        path,
        mime,
        page,
        languages,
        existingText,
        rotate,
        deskew,
        models,
      };
      return call({ name: 'recognise', input, ...source(request) }, call_, isPageResult);
    },
    assembleSearchablePdf: (request, call_) =>
      call(
        {
          name: 'assemblePdf',
          input: { empty: [], ...request },
          reads: [request.path, request.pagesFile],
          writes: [request.outPath],
        },
        call_,
        isAssembled,
      ),
    assembleText: (request, call_) =>
      call(
        { name: 'assembleText', input: { empty: [], ...request }, ...pagesTo(request) },
        call_,
        isAssembled,
      ),
    assembleWords: (request, call_) =>
      call(
        { name: 'assembleWords', input: { empty: [], ...request }, ...pagesTo(request) },
        call_,
        isAssembled,
      ),
    findPage: async (request, call_) => {
      const { how = defaultReading, ...rest } = request;
      const installed = availableLanguages(tessdata);
      const languages = ownLanguages(how.languages, installed);
      checkLanguages(languages, tessdata);
      const isReread = !isReadByOwnMeans(how, installed);
      const input = { ...rest, languages, isReread, models };
      return call(
        { name: 'findPage', input, ...source(request, request.pageFile) },
        call_,
        isPagePlan,
      );
    },
    spreadValues: (input, call_) =>
      call(
        { name: 'spreadValues', input, reads: [input.plansFile], writes: [input.outPath] },
        call_,
        isSpread,
      ),
    redactPages: (input, call_) =>
      call(
        {
          name: 'redactPages',
          input,
          reads: [input.path, input.plansFile],
          writes: [input.outPath],
        },
        call_,
        isRemovalReport,
      ),
    checkPage: (request, call_) => {
      const input = { ...request, models };
      return call(
        { name: 'checkPage', input, ...source(request, request.reportFile) },
        call_,
        isChecks,
      );
    },
    checkFile: (request, call_) => {
      const input = { ...request, outputPage: null };
      const reads = [request.path, request.reportFile];
      return call({ name: 'checkFile', input, reads }, call_, isChecks);
    },
    redactInKind: (input, call_) =>
      call(
        { name: 'redactInKind', input, reads: [input.path], writes: [input.outPath] },
        call_,
        isRedactedInKind,
      ),
    readPageLayout: (input, call_) =>
      call(
        { name: 'readPageLayout', input, ...source(input, input.pageFile) },
        call_,
        isPageLayout,
      ),
    normalizePages: (input, call_) =>
      call(
        {
          name: 'normalizePages',
          input,
          reads: [input.layoutsFile],
          writes: writtenBy(input.write),
        },
        call_,
        isNormalized,
      ),
    normalizeFile: (input, call_) =>
      call(
        { name: 'normalizeFile', input, reads: [input.path], writes: writtenBy(input.write) },
        call_,
        isNormalized,
      ),
    classifyPage: (input, call_) =>
      call({ name: 'classifyPage', input, reads: [input.pageFile] }, call_, isClassifiedPage),
    classifyFile: (input, call_) =>
      call({ name: 'classifyFile', input, reads: [input.path] }, call_, isClassified),
    languages: () => availableLanguages(tessdata),
    checkLanguages: (languages) => checkLanguages(languages, tessdata),
    close,
  };
}

/** A call for one page of a source, which the child that has it open already should get. */
function source({ path }: { path: string }, ...further: string[]) {
  return { affinity: path, reads: [path, ...further] };
}

function pagesTo({ pagesFile, outPath }: AssembleTextRequest) {
  return { reads: [pagesFile], writes: [outPath] };
}

function writtenBy({ markdown, json, chunks }: Write): string[] {
  return [markdown, json, chunks].filter((path) => path !== null);
}
