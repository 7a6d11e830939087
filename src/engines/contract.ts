import type { CallOptions } from './children/engine.ts';
import type {
  Classified,
  ClassifiedPage,
  ClassifyFileRequest,
  ClassifyPageRequest,
} from './classify/calls.ts';
import type {
  Normalized,
  NormalizeFileRequest,
  NormalizePagesRequest,
  PageLayoutRequest,
} from './normalize/calls.ts';
import type { PageLayout } from './normalize/pages/layout.ts';
import type { PageImageCalls } from './page-images/calls.ts';
import type { PagePlan } from './redact/contract/plan.ts';
import type { RedactionCheck, RemovalReport } from './redact/contract/report.ts';
import type {
  CheckRequest,
  FindInKindRequest,
  FindRequest,
  FoundInKind,
  LaidOutPage,
  LayOutRequest,
  RedactedInKind,
  RedactInKindRequest,
  RedactPagesRequest,
  Settled,
  SettleRequest,
  Spread,
  SpreadRequest,
} from './redact/contract/requests.ts';
import type { Assembled, EmptyPage, Inspection, PageResult } from './results.ts';
import type { OwnText, OwnTextRequest, PageWordsRead, PageWordsRequest } from './text/calls.ts';

export type SourceFile = { path: string; mime: string };

export type RecogniseRequest = SourceFile & {
  /** 1-based. */
  page: number;
  /** Tesseract codes; `["eng"]` by default. */
  languages?: readonly string[];
  existingText?: 'skip' | 'redo' | 'force';
  /** Detect the orientation of the page and turn it upright in the PDF. */
  rotate?: boolean;
  /** Straighten skewed pages in the PDF. */
  deskew?: boolean;
};

export type AssembleTextRequest = {
  /** NDJSON: one `PageResult` per line, in page order. */
  pagesFile: string;
  /** Pages to leave empty, with the reason; in page order. */
  empty?: readonly EmptyPage[];
  outPath: string;
};
type AssemblePdfRequest = SourceFile &
  AssembleTextRequest & {
    /** Write PDF/A-2b; false by default. */
    pdfa?: boolean;
  };

/** Reading sources and their text. */
export type RecognitionCalls = {
  inspect(source: SourceFile, options: CallOptions): Promise<Inspection>;
  readOwnText(request: OwnTextRequest, options: CallOptions): Promise<OwnText>;
  readPageWords(request: PageWordsRequest, options: CallOptions): Promise<PageWordsRead>;
  recognisePage(request: RecogniseRequest, options: CallOptions): Promise<PageResult>;
  assembleSearchablePdf(request: AssemblePdfRequest, options: CallOptions): Promise<Assembled>;
  assembleText(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
  assembleWords(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
};

export type RedactionCalls = {
  /** Finds what must be removed from a page. */
  findPage(request: FindRequest, options: CallOptions): Promise<PagePlan>;
  /** Adds to the plan of each page what was found on other pages. */
  spreadValues(request: SpreadRequest, options: CallOptions): Promise<Spread>;
  /** Prepares plans whose removals a person decided. */
  settlePlans(request: SettleRequest, options: CallOptions): Promise<Settled>;
  /** Computes the boxes that `redactPages` would paint. */
  layOutPages(request: LayOutRequest, options: CallOptions): Promise<LaidOutPage[]>;
  /** Writes a new file of the planned pages, without what must be removed. */
  redactPages(request: RedactPagesRequest, options: CallOptions): Promise<RemovalReport>;
  /** Checks one page of a redacted file, independently of what redacted it. */
  checkPage(
    request: CheckRequest & { outputPage: number },
    options: CallOptions,
  ): Promise<RedactionCheck[]>;
  /** Checks a redacted file as a whole. */
  checkFile(
    request: Omit<CheckRequest, 'outputPage'>,
    options: CallOptions,
  ): Promise<RedactionCheck[]>;
  /** A digest per page of a PDF, equal for pages that are drawn and read alike; none if it is damaged. */
  digestPages(request: { path: string }, options: CallOptions): Promise<string[]>;
  /** Redacts a file without pages in its own format, and checks the output. */
  redactInKind(request: RedactInKindRequest, options: CallOptions): Promise<RedactedInKind>;
  /** Finds what `redactInKind` would remove from a file, for people to decide about. */
  findInKind(request: FindInKindRequest, options: CallOptions): Promise<FoundInKind>;
};

export type NormalizationCalls = {
  /** Reads a page of a PDF or picture as blocks in reading order. */
  readPageLayout(request: PageLayoutRequest, options: CallOptions): Promise<PageLayout>;
  /** Writes a document for language models from the layouts of its pages. */
  normalizePages(request: NormalizePagesRequest, options: CallOptions): Promise<Normalized>;
  /** Reads a file without pages and writes the requested outputs. */
  normalizeFile(request: NormalizeFileRequest, options: CallOptions): Promise<Normalized>;
};

export type ClassificationCalls = {
  /** Classifies a page by its text and layout. */
  classifyPage(request: ClassifyPageRequest, options: CallOptions): Promise<ClassifiedPage>;
  /** Classifies a file without pages. */
  classifyFile(request: ClassifyFileRequest, options: CallOptions): Promise<Classified>;
};

export type Engines = RecognitionCalls &
  RedactionCalls &
  NormalizationCalls &
  ClassificationCalls &
  PageImageCalls<CallOptions> & {
    /** The languages that can be recognised here. */
    languages(): string[];
    /** Throws EngineError if a language is malformed or not installed. */
    checkLanguages(languages: readonly string[]): void;
    /** The versions of the engines and the hashes of their weights, by name. */
    versions(): Readonly<Record<string, string>>;
    /** Kills all children and removes temporary files. */
    close(): Promise<void>;
  };
