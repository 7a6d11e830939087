/** The module that engine children run: the tasks of `createEngines`, by name. */
import { readFile } from 'node:fs/promises';
import { narrowings } from '../contracts/documents/profiles.ts';
import { type Handler, serveTasks } from './children/child-main.ts';
import type { ClassifyPageRequest } from './classify/calls.ts';
import { EngineError } from './errors.ts';
import type {
  NormalizeFileRequest,
  NormalizePagesRequest,
  PageLayoutRequest,
  Write,
} from './normalize/calls.ts';
import type { RecognitionRequest } from './ocr/ocr.ts';
import { availableLanguages, type Models } from './ocr/tesseract/tessdata.ts';
import { isDrawPageRequest } from './page-images/calls.ts';
import type { AssemblyRequest } from './pdf/text-layer.ts';
import type { Detector, DetectorOptions } from './pii/finding.ts';
import type {
  CheckRequest,
  FindInKindRequest,
  LayOutRequest,
  RedactInKindRequest,
  RedactPagesRequest,
  SettleRequest,
  SpreadRequest,
} from './redact/contract/requests.ts';
import type { FindTask } from './redact/find/read-page.ts';
import {
  hasFields,
  isBoolean,
  isEmptyPage,
  isListOf,
  isNumber,
  isOneOf,
  isString,
} from './results.ts';
import { closeSources, inspect, restrictLoaders } from './source.ts';
import type { OwnTextRequest, PageWordsRequest } from './text/calls.ts';
import type { TextRequest } from './text-outputs.ts';

type SourceInput = { path: string; mime: string };
type WithModels = { models: Models };
type RecogniseInput = RecognitionRequest & WithModels;
type FindInput = FindTask & WithModels;

const isModels = (value: unknown): value is Models =>
  hasFields(value, {
    tessdata: (tessdata) =>
      typeof tessdata === 'object' && Object.values(tessdata ?? {}).every(isString),
    native: (native) => native === null || isString(native),
    memoryBytes: isNumber,
  });

const hasPath = (value: unknown): value is { path: string } => hasFields(value, { path: isString });

const isSource = (value: unknown): value is SourceInput =>
  hasFields(value, { path: isString, mime: isString });

const isOwnTextRequest = (value: unknown): value is OwnTextRequest =>
  isSource(value) && hasFields(value, { outPath: isString });

const isPageWordsRequest = (value: unknown): value is PageWordsRequest =>
  isOwnTextRequest(value) && hasFields(value, { page: isNumber });

const isText = (value: unknown): value is TextRequest =>
  hasFields(value, { pagesFile: isString, outPath: isString, empty: isListOf(isEmptyPage) });

const isAssembly = (value: unknown): value is AssemblyRequest =>
  isSource(value) && isText(value) && hasFields(value, { pdfa: isBoolean });

const isRecognise = (value: unknown): value is RecogniseInput =>
  isSource(value) &&
  hasFields(value, {
    page: isNumber,
    languages: isListOf(isString),
    existingText: isOneOf('skip', 'redo', 'force'),
    rotate: isBoolean,
    deskew: isBoolean,
    models: isModels,
  });

const isDetectorOptions = (value: unknown): value is DetectorOptions =>
  hasFields(value, {
    entities: (entities) => entities === 'all' || isListOf(isString)(entities),
    narrowed: (narrowed) =>
      narrowed === undefined || isListOf(isOneOf(...Object.keys(narrowings)))(narrowed),
    minConfidence: isNumber,
    customPatterns: isListOf((pattern) =>
      hasFields(pattern, { name: isString, pattern: isString, case_sensitive: isBoolean }),
    ),
    allowList: isListOf(isString),
  });

const isRedactPages = (value: unknown): value is RedactPagesRequest =>
  isSource(value) &&
  hasFields(value, {
    plansFile: isString,
    style: isOneOf('blackbox', 'label'),
    box: isOneOf(undefined, 'tight', 'padded', 'to_edge'),
    outPath: isString,
  });

const isSettle = (value: unknown): value is SettleRequest =>
  hasFields(value, { plansFile: isString, outPath: isString });

const isLayOut = (value: unknown): value is LayOutRequest =>
  isSource(value) &&
  hasFields(value, {
    plansFile: isString,
    box: isOneOf(undefined, 'tight', 'padded', 'to_edge'),
    workPath: isString,
  });

const isInKind = (value: unknown): value is RedactInKindRequest =>
  isSource(value) &&
  hasFields(value, {
    options: isDetectorOptions,
    style: isOneOf('blackbox', 'label'),
    outPath: isString,
    decided: (decided) =>
      decided === undefined || hasFields(decided, { decisionsFile: isString, digest: isString }),
  });

const isFindInKind = (value: unknown): value is FindInKindRequest =>
  isSource(value) &&
  hasFields(value, { options: isDetectorOptions, textFile: isString, findingsFile: isString });

const isCheck = (value: unknown): value is CheckRequest =>
  isSource(value) && hasFields(value, { reportFile: isString, outputPage: isNumberOrNull });
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);

type CheckPageInput = CheckRequest & WithModels & { outputPage: number };
const isCheckPage = (value: unknown): value is CheckPageInput =>
  isCheck(value) && isNumber(value.outputPage) && hasFields(value, { models: isModels });

const isFind = (value: unknown): value is FindInput =>
  isSource(value) &&
  hasFields(value, {
    page: isNumber,
    pageFile: isString,
    languages: isListOf(isString),
    isReread: isBoolean,
    options: isDetectorOptions,
    models: isModels,
  });

const isSpreadRequest = (value: unknown): value is SpreadRequest =>
  hasFields(value, {
    plansFile: isString,
    outPath: isString,
    allowList: (allowed) => allowed === undefined || isListOf(isString)(allowed),
  });

const isPageLayoutRequest = (value: unknown): value is PageLayoutRequest =>
  isSource(value) &&
  hasFields(value, {
    page: isNumber,
    number: isNumber,
    pageFile: isString,
    redacted: isListOf((place) => hasFields(place, { box: isListOf(isNumber, 4), mark: isString })),
  });

const isStringOrNull = (value: unknown): boolean => value === null || isString(value);

const isWrite = (value: unknown): value is Write =>
  hasFields(value, {
    markdown: isStringOrNull,
    json: isStringOrNull,
    chunks: isStringOrNull,
    chunkTokens: isNumber,
    overlapTokens: isNumber,
  });

const isNormalizePages = (value: unknown): value is NormalizePagesRequest =>
  hasFields(value, { layoutsFile: isString, write: isWrite });
const isNormalizeFile = (value: unknown): value is NormalizeFileRequest =>
  isSource(value) &&
  hasFields(value, {
    write: isWrite,
    blackedOut: (given) => given === undefined || typeof given === 'boolean',
    attachedFile: (path) => path === undefined || isString(path),
  });
const isClassifyPage = (value: unknown): value is ClassifyPageRequest =>
  hasFields(value, { pageFile: isString });

let owner = '';
/** Forgets what the checks keep of the last file; replaced when they are loaded. */
let forgetChecked = (): void => undefined;

/** Checks the input before the work. When the project changes, open documents are closed first. */
function handler<T>(
  check: (input: unknown) => input is T,
  work: (input: T, isolation: string) => Promise<unknown>,
): Handler {
  return async (input, { isolation }) => {
    if (!check(input)) {
      throw new EngineError('invalid_argument', 'The engine was called with an invalid argument.');
    }
    if (owner !== isolation) {
      closeSources();
      forgetChecked();
    }
    owner = isolation;
    return work(input, isolation);
  };
}

/** One recogniser, started with the first page: every call names the same models. */
let recogniser: import('./ocr/tesseract/recogniser.ts').Tesseract | undefined;

async function tesseractFor(models: Models) {
  const { createTesseract } = await import('./ocr/tesseract/index.ts');
  recogniser ??= createTesseract(models);
  return recogniser;
}

/** One detector per set of options: creating one takes longer than reading a page. */
let detecting: { key: string; detector: Detector } | undefined;

async function detectorFor(options: DetectorOptions): Promise<Detector> {
  const key = JSON.stringify(options);
  if (detecting?.key !== key) {
    const { createDetector } = await import('./pii/index.ts');
    detecting = { key, detector: createDetector(options) };
  }
  return detecting.detector;
}

const isWarmUp = (value: unknown): value is WithModels & { languages: string[] } =>
  hasFields(value, { models: isModels, languages: isListOf(isString) });

/** Loads what most jobs need first: recognition and the text layer. */
async function warmUp(models: Models, languages: readonly string[]): Promise<void> {
  const { loadPdfium } = await import('./pdf/pdfium.ts');
  await Promise.all([
    ...[import('./ocr/ocr.ts'), import('./pdf/text-layer.ts'), import('./text-outputs.ts')],
    loadPdfium(),
    tesseractFor(models).then((tesseract) => tesseract.warmUp(languages)),
  ]);
}

restrictLoaders();

// The code of a task is loaded with the first such task: a child that recognises pages does not
// load what writes PDFs.
serveTasks({
  warmUp: handler(isWarmUp, ({ models, languages }) => warmUp(models, languages)),
  inspect: handler(isSource, ({ path, mime }) => inspect(path, mime)),
  readOwnText: handler(isOwnTextRequest, async (request) => {
    const { readOwnText } = await import('./text/index.ts');
    return readOwnText(request);
  }),
  readPageWords: handler(isPageWordsRequest, async (request) => {
    const { readPageWords } = await import('./text/page-words.ts');
    return readPageWords(request);
  }),
  drawPage: handler(isDrawPageRequest, async (request) => {
    const { drawPage } = await import('./page-images/draw.ts');
    return drawPage(request);
  }),
  recognise: handler(isRecognise, async ({ models, ...request }, isolation) => {
    const { recognisePage } = await import('./ocr/ocr.ts');
    return recognisePage(await tesseractFor(models), request, isolation);
  }),
  assemblePdf: handler(isAssembly, async (request) => {
    const { assembleSearchablePdf } = await import('./pdf/text-layer.ts');
    return assembleSearchablePdf(request);
  }),
  assembleText: handler(isText, async (request) => {
    const { assembleText } = await import('./text-outputs.ts');
    return assembleText(request);
  }),
  assembleWords: handler(isText, async (request) => {
    const { assembleWords } = await import('./text-outputs.ts');
    return assembleWords(request);
  }),
  findPage: handler(isFind, async ({ models, ...request }, isolation) => {
    const { findPage } = await import('./redact/find/find-page.ts');
    return findPage(request, {
      detector: await detectorFor(request.options),
      tesseract: () => tesseractFor(models),
      installed: availableLanguages(models.tessdata),
      isolation,
    });
  }),
  spreadValues: handler(isSpreadRequest, async (request) => {
    const { spreadValues } = await import('./redact/find/spread.ts');
    return spreadValues(request);
  }),
  settlePlans: handler(isSettle, async (request) => {
    const { settlePlans } = await import('./redact/find/settle.ts');
    return settlePlans(request);
  }),
  layOutPages: handler(isLayOut, async (request) => {
    const { layOutPages } = await import('./redact/remove/lay-out.ts');
    return layOutPages(request);
  }),
  redactPages: handler(isRedactPages, async (request) => {
    const { redactPages } = await import('./redact/remove/index.ts');
    return redactPages(request);
  }),
  redactInKind: handler(isInKind, async (request) => {
    const { redactInKind } = await import('./redact/kinds/index.ts');
    return redactInKind(request, await detectorFor(request.options));
  }),
  findInKind: handler(isFindInKind, async (request) => {
    const { findInKind } = await import('./redact/kinds/index.ts');
    return findInKind(request, await detectorFor(request.options));
  }),
  readPageLayout: handler(isPageLayoutRequest, async (request) => {
    const { readPageLayout } = await import('./normalize/pages/index.ts');
    return readPageLayout(request);
  }),
  normalizePages: handler(isNormalizePages, async (request) => {
    const { normalizePages } = await import('./normalize/pages/index.ts');
    return normalizePages(request);
  }),
  normalizeFile: handler(isNormalizeFile, async (request) => {
    const { normalizeFile } = await import('./normalize/kinds/index.ts');
    return normalizeFile(request);
  }),
  classifyPage: handler(isClassifyPage, async (request) => {
    const { classifyPage } = await import('./classify/index.ts');
    return classifyPage(request);
  }),
  classifyFile: handler(isSource, async (request) => {
    const { classifyFile } = await import('./classify/index.ts');
    return classifyFile(request);
  }),
  digestPages: handler(hasPath, async ({ path }) => {
    const { pageDigests } = await import('./redact/check/file/page-digests.ts');
    return pageDigests(await readFile(path));
  }),
  checkFile: handler(isCheck, async (request) => {
    const { checkFile } = await import('./redact/check/check-file.ts');
    forgetChecked = (await import('./redact/check/forget.ts')).forgetChecked;
    return checkFile(request);
  }),
  checkPage: handler(isCheckPage, async ({ models, ...request }, isolation) => {
    const { checkPage } = await import('./redact/check/check-page.ts');
    forgetChecked = (await import('./redact/check/forget.ts')).forgetChecked;
    const tesseract = () => tesseractFor(models);
    return checkPage(request, { tesseract, isolation });
  }),
});
