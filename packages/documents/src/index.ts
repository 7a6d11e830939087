import { createEngine, type EngineOptions } from '@scriptorium/sandbox/children/engine';
import { documentTasks, type Engines } from './contract.ts';
import { chooseRecogniser, type RecogniserChoice } from './ocr/tesseract/native.ts';
import {
  availableLanguages,
  checkLanguages,
  findTessdata,
  type Models,
} from './ocr/tesseract/tessdata.ts';
import {
  isTrustedRecognition,
  type RecognitionOptions,
  trustedLanguages,
} from './ocr/trusted-recognition.ts';
import { readVersions } from './versions.ts';

export type { CallOptions } from '@scriptorium/sandbox/children/engine';
export { EngineError, engineErrorCodes } from '@scriptorium/sandbox/errors';
export type { Classification, LabelScore, PageClassification } from './classify/calls.ts';
export { combinePages as combineClassifications } from './classify/combine.ts';
export type { Engines, RecogniseRequest } from './contract.ts';
export type { NormalizationResult } from './normalize/calls.ts';
export type { PagePlan, PlannedPage } from './redact/contract/plan.ts';
export type { RedactionCheck, RemovalReport } from './redact/contract/report.ts';
export type {
  FoundInName,
  KnownValue,
  LaidOutPage,
  RedactedInKind,
} from './redact/contract/requests.ts';
export type { ArchiveReport, AssemblyResult, EmptyPage, PageResult, Word } from './results.ts';
export { isPageText, isPageWords, type PageText, type PageWords } from './text/calls.ts';

type EnginesOptions = EngineOptions & {
  /** Folders searched for `<language>.traineddata` before the default folders. */
  tessdata?: readonly string[];
  /**
   * The recogniser: the installed `tesseract` (version 5 or newer), tesseract.js, or `auto` to use
   * the first that is available.
   */
  recogniser?: RecogniserChoice;
};

/** The default options for reading a page. */
const defaultReading: RecognitionOptions = {
  languages: ['eng'],
  rotate: true,
  existingText: 'skip',
};

/**
 * Returns the document engines. Every call runs in a child process that serves one project. The
 * child can be killed, has a deadline, a memory limit and no secrets, and is isolated from the
 * machine as far as possible. Calls throw EngineError on failure. The engines do not use the
 * network.
 */
export function createEngines(options: EnginesOptions): Engines {
  const tessdata = findTessdata({ dirs: options.tessdata ?? [] });
  const native = chooseRecogniser(options.recogniser ?? 'auto');
  const models: Models = { tessdata, native, memoryBytes: options.memoryBytes };
  const visiblePaths = {
    reads: Object.values(tessdata),
    programs: native === null ? [] : [native],
  };
  const languages = defaultReading.languages.filter((language) => language in tessdata);
  const warmUp = { models, languages };
  let versions: Record<string, string> | undefined;
  const { calls, close } = createEngine(
    'document',
    documentTasks,
    import.meta.url,
    options,
    visiblePaths,
    warmUp,
  );
  return {
    ...calls,
    recognisePage: async (request, options) => {
      checkLanguages(request.languages ?? defaultReading.languages, tessdata);
      return calls.recognisePage({ ...request, models }, options);
    },
    findPage: async ({ how = defaultReading, ...request }, options) => {
      const installed = availableLanguages(tessdata);
      const languages = trustedLanguages(how.languages, installed);
      checkLanguages(languages, tessdata);
      const isReread = !isTrustedRecognition(how, installed);
      return calls.findPage({ ...request, languages, isReread, models }, options);
    },
    checkPage: (request, options) => calls.checkPage({ ...request, models }, options),
    versions: () => {
      versions ??= readVersions(native);
      return versions;
    },
    languages: () => availableLanguages(tessdata),
    close,
  };
}
