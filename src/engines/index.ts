import type { RunOptions } from './children/child.ts';
import { createEngine, type EngineOptions } from './children/engine.ts';
import { availableLanguages, checkLanguages, findTessdata } from './ocr/tessdata.ts';
import type { RedactPagesRequest } from './redact/calls.ts';
import type { RemovalReport } from './redact/plan.ts';
import { isRemovalReport } from './redact/report.ts';
import {
  type Assembled,
  type Inspection,
  isAssembled,
  isInspection,
  isPageResult,
  type PageResult,
} from './results.ts';

export { EngineError, type EngineErrorCode, engineErrorCodes } from './errors.ts';
export type {
  Assembled,
  Box,
  InspectedPage,
  Inspection,
  Line,
  PageResult,
  Word,
} from './results.ts';

type EnginesOptions = EngineOptions & {
  /** Folders searched first for Tesseract's `<language>.traineddata`. */
  tessdata?: readonly string[];
};

/** Limits of one call, and whose document it is. */
export type CallOptions = RunOptions & {
  /** The project: nothing learned or cached from one is kept for another. */
  isolation: string;
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

type AssembleTextRequest = {
  /** Page results as NDJSON, one `PageResult` a line, in the order of pages. */
  pagesFile: string;
  outPath: string;
};
type AssemblePdfRequest = SourceFile & AssembleTextRequest;

export type Engines = {
  inspect(source: SourceFile, options: CallOptions): Promise<Inspection>;
  recognisePage(request: RecogniseRequest, options: CallOptions): Promise<PageResult>;
  assembleSearchablePdf(request: AssemblePdfRequest, options: CallOptions): Promise<Assembled>;
  assembleText(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
  assembleWords(request: AssembleTextRequest, options: CallOptions): Promise<Assembled>;
  /** Removes from pages what is planned to go and writes what remains as a new file. */
  redactPages(request: RedactPagesRequest, options: CallOptions): Promise<RemovalReport>;
  /** Languages that can be recognised here. */
  languages(): string[];
  /** Throws EngineError when one of the languages is malformed or not installed. */
  checkLanguages(languages: readonly string[]): void;
  /** Kills all children and removes scratch files. */
  close(): Promise<void>;
};

/**
 * The document engines: every call runs in a killable child process with a deadline, a memory cap
 * and no secrets, and throws EngineError on failure. Nothing here uses the network.
 */
export function createEngines(options: EnginesOptions): Engines {
  const tessdata = findTessdata({ dirs: options.tessdata ?? [] });
  const { call, close, scratch } = createEngine('document', import.meta.url, options);
  return {
    inspect: (source, call_) =>
      call(
        { name: 'inspect', input: source, isolation: call_.isolation, affinity: source.path },
        call_,
        isInspection,
      ),
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
        tessdata,
        scratch,
      };
      return call(
        { name: 'recognise', input, isolation: call_.isolation, affinity: path },
        call_,
        isPageResult,
      );
    },
    assembleSearchablePdf: (input, call_) =>
      call({ name: 'assemblePdf', input, isolation: call_.isolation }, call_, isAssembled),
    assembleText: (input, call_) =>
      call({ name: 'assembleText', input, isolation: call_.isolation }, call_, isAssembled),
    assembleWords: (input, call_) =>
      call({ name: 'assembleWords', input, isolation: call_.isolation }, call_, isAssembled),
    redactPages: (input, call_) =>
      call({ name: 'redactPages', input, isolation: call_.isolation }, call_, isRemovalReport),
    languages: () => availableLanguages(tessdata),
    checkLanguages: (languages) => checkLanguages(languages, tessdata),
    close,
  };
}
