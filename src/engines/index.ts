import { createEngine, type Engine, type EngineOptions } from './children/engine.ts';
import { isClassified, isClassifiedPage } from './classify/calls.ts';
import type {
  AssembleTextRequest,
  ClassificationCalls,
  Engines,
  NormalizationCalls,
  RecognitionCalls,
  RedactionCalls,
} from './contract.ts';
import { isNormalized, type Write } from './normalize/calls.ts';
import { isPageLayout } from './normalize/pages/layout.ts';
import { type HowRead, isReadByOwnMeans, ownLanguages } from './ocr/own-means.ts';
import { chooseRecogniser, type RecogniserChoice } from './ocr/tesseract/native.ts';
import {
  availableLanguages,
  checkLanguages,
  findTessdata,
  type Models,
} from './ocr/tesseract/tessdata.ts';
import { isDrawnPage } from './page-images/calls.ts';
import {
  isChecks,
  isFoundInKind,
  isLaidOut,
  isPagePlan,
  isRedactedInKind,
  isRemovalReport,
  isSettled,
  isSpread,
} from './redact/contract/guards.ts';
import { isAssembled, isInspection, isListOf, isPageResult, isString } from './results.ts';
import { isOwnText, isPageWordsRead } from './text/calls.ts';
import { readVersions } from './versions.ts';

export type { CallOptions } from './children/engine.ts';
export type { Classified, ClassifiedPage, LabelScore, Signal } from './classify/calls.ts';
export { combine as combineClassified } from './classify/combine.ts';
export type { Engines, RecogniseRequest, SourceFile } from './contract.ts';
export { EngineError, type EngineErrorCode, engineErrorCodes } from './errors.ts';
export type { Normalized } from './normalize/calls.ts';
export type { PageLayout } from './normalize/pages/layout.ts';
export type { PagePlan, PlannedPage } from './redact/contract/plan.ts';
export type { RedactionCheck, RemovalReport } from './redact/contract/report.ts';
export type { KnownValue, LaidOutPage, RedactedInKind } from './redact/contract/requests.ts';
export type {
  Archived,
  Assembled,
  Box,
  EmptyPage,
  InspectedPage,
  Inspection,
  Line,
  PageResult,
  Word,
} from './results.ts';
export { isPageText, isPageWords, type PageText, type PageWords } from './text/calls.ts';

type EnginesOptions = EngineOptions & {
  /** Folders searched first for Tesseract's `<language>.traineddata`. */
  tessdata?: readonly string[];
  /** The machine's `tesseract` (5 or newer), tesseract.js, or `auto`: whichever is there. */
  recogniser?: RecogniserChoice;
};

/** How a page is read by default. */
const defaultReading: HowRead = { languages: ['eng'], rotate: true, existingText: 'skip' };

/**
 * The document engines. Every call runs in a killable child process that serves one project, isolated
 * from the machine as far as possible, with a deadline, a memory cap and no secrets, and throws
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
  let versions: Record<string, string> | undefined;
  const engine = createEngine('document', import.meta.url, options, seen, warmUp);
  return {
    ...recognitionCalls(engine, models),
    ...redactionCalls(engine, models),
    ...normalizationCalls(engine),
    ...classificationCalls(engine),
    drawPage: (input, options) => {
      const files = { ...source(input), writes: [input.outPath] };
      return engine.call({ name: 'drawPage', input, ...files }, options, isDrawnPage);
    },
    versions: () => {
      versions ??= readVersions(native);
      return versions;
    },
    languages: () => availableLanguages(tessdata),
    checkLanguages: (languages) => checkLanguages(languages, tessdata),
    close: engine.close,
  };
}

function recognitionCalls({ call }: Engine, models: Models): RecognitionCalls {
  return {
    inspect: (input, options) =>
      call({ name: 'inspect', input, ...source(input) }, options, isInspection),
    readOwnText: (input, options) => {
      const files = { reads: [input.path], writes: [input.outPath] };
      return call({ name: 'readOwnText', input, ...files }, options, isOwnText);
    },
    readPageWords: (input, options) => {
      const files = { ...source(input), writes: [input.outPath] };
      return call({ name: 'readPageWords', input, ...files }, options, isPageWordsRead);
    },
    recognisePage: async (request, options) => {
      const { languages = ['eng'], existingText = 'skip', rotate = true, deskew = false } = request;
      checkLanguages(languages, models.tessdata);
      const { path, mime, page } = request;
      const input = { path, mime, page, languages, existingText, rotate, deskew, models };
      return call({ name: 'recognise', input, ...source(request) }, options, isPageResult);
    },
    assembleSearchablePdf: (request, options) => {
      const input = { empty: [], pdfa: false, ...request };
      const files = { reads: [request.path, request.pagesFile], writes: [request.outPath] };
      return call({ name: 'assemblePdf', input, ...files }, options, isAssembled);
    },
    assembleText: (request, options) => {
      const input = { empty: [], ...request };
      return call({ name: 'assembleText', input, ...pagesTo(request) }, options, isAssembled);
    },
    assembleWords: (request, options) => {
      const input = { empty: [], ...request };
      return call({ name: 'assembleWords', input, ...pagesTo(request) }, options, isAssembled);
    },
  };
}

function redactionCalls({ call }: Engine, models: Models): RedactionCalls {
  return {
    findPage: async (request, options) => {
      const { how = defaultReading, ...rest } = request;
      const installed = availableLanguages(models.tessdata);
      const languages = ownLanguages(how.languages, installed);
      checkLanguages(languages, models.tessdata);
      const isReread = !isReadByOwnMeans(how, installed);
      const input = { ...rest, languages, isReread, models };
      const files = source(request, request.pageFile);
      return call({ name: 'findPage', input, ...files }, options, isPagePlan);
    },
    spreadValues: (input, options) => {
      const files = { reads: [input.plansFile], writes: [input.outPath] };
      return call({ name: 'spreadValues', input, ...files }, options, isSpread);
    },
    settlePlans: (input, options) => {
      const files = { reads: [input.plansFile], writes: [input.outPath] };
      return call({ name: 'settlePlans', input, ...files }, options, isSettled);
    },
    layOutPages: (input, options) => {
      const files = { reads: [input.path, input.plansFile], writes: [input.workPath] };
      return call({ name: 'layOutPages', input, ...files }, options, isLaidOut);
    },
    redactPages: (input, options) => {
      const files = { reads: [input.path, input.plansFile], writes: [input.outPath] };
      return call({ name: 'redactPages', input, ...files }, options, isRemovalReport);
    },
    checkPage: (request, options) => {
      const input = { ...request, models };
      const files = source(request, request.reportFile);
      return call({ name: 'checkPage', input, ...files }, options, isChecks);
    },
    checkFile: (request, options) => {
      const input = { ...request, outputPage: null };
      const reads = [request.path, request.reportFile];
      return call({ name: 'checkFile', input, reads }, options, isChecks);
    },
    digestPages: ({ path }, options) =>
      call({ name: 'digestPages', input: { path }, reads: [path] }, options, areStrings),
    redactInKind: (input, options) => {
      const decisions = input.decided ? [input.decided.decisionsFile] : [];
      const files = { reads: [input.path, ...decisions], writes: [input.outPath] };
      return call({ name: 'redactInKind', input, ...files }, options, isRedactedInKind);
    },
    findInKind: (input, options) => {
      const files = { reads: [input.path], writes: [input.textFile, input.findingsFile] };
      return call({ name: 'findInKind', input, ...files }, options, isFoundInKind);
    },
  };
}

function normalizationCalls({ call }: Engine): NormalizationCalls {
  return {
    readPageLayout: (input, options) => {
      const files = source(input, input.pageFile);
      return call({ name: 'readPageLayout', input, ...files }, options, isPageLayout);
    },
    normalizePages: (input, options) => {
      const files = { reads: [input.layoutsFile], writes: writtenBy(input.write) };
      return call({ name: 'normalizePages', input, ...files }, options, isNormalized);
    },
    normalizeFile: (input, options) => {
      const written = writtenBy(input.write);
      if (input.attachedFile !== undefined) written.push(input.attachedFile);
      const files = { reads: [input.path], writes: written };
      return call({ name: 'normalizeFile', input, ...files }, options, isNormalized);
    },
  };
}

function classificationCalls({ call }: Engine): ClassificationCalls {
  return {
    classifyPage: (input, options) =>
      call({ name: 'classifyPage', input, reads: [input.pageFile] }, options, isClassifiedPage),
    classifyFile: (input, options) =>
      call({ name: 'classifyFile', input, reads: [input.path] }, options, isClassified),
  };
}

const areStrings = (value: unknown): value is string[] => isListOf(isString)(value);

/** The files of a call for a page of a source, which a child that has it open should serve. */
function source({ path }: { path: string }, ...further: string[]) {
  return { affinity: path, reads: [path, ...further] };
}

function pagesTo({ pagesFile, outPath }: AssembleTextRequest) {
  return { reads: [pagesFile], writes: [outPath] };
}

function writtenBy({ markdown, json, chunks }: Write): string[] {
  return [markdown, json, chunks].filter((path) => path !== null);
}
