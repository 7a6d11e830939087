/** The module that engine children run: the handlers of `documentTasks`. */
import { readFile } from 'node:fs/promises';
import type { Detector, DetectorOptions } from '@scriptorium/pii/finding';
import { isListOf, isRecord, isString } from '@scriptorium/sandbox/checks';
import { serveTasks } from '@scriptorium/sandbox/children/child-main';
import { checkedHandler, handlersOf } from '@scriptorium/sandbox/children/define-task';
import { documentTasks } from './contract.ts';
import { availableLanguages, type Models } from './ocr/tesseract/tessdata.ts';
import { closeCachedPdfs } from './pdf/document-cache.ts';
import { restrictLoaders } from './source/images.ts';
import { inspect, summarise } from './source/inspect.ts';
import { isModels } from './text/calls.ts';

let currentIsolation = '';
/** Clears the cached checks of the last file. Does nothing until the checks are loaded. */
let clearCheckCache = (): void => undefined;

/** Closes all open documents and clears the cached checks if the project changes. */
function switchIsolation(isolation: string): void {
  if (currentIsolation !== isolation) {
    closeCachedPdfs();
    clearCheckCache();
  }
  currentIsolation = isolation;
}

/** The recogniser, started with the first page. All calls name the same models. */
let recogniser: import('./ocr/tesseract/recogniser.ts').Tesseract | undefined;

async function tesseractFor(models: Models) {
  const { createTesseract } = await import('./ocr/tesseract/index.ts');
  recogniser ??= createTesseract(models);
  return recogniser;
}

/**
 * The current detector with the key of its options. It is cached because creating a detector takes
 * longer than reading a page.
 */
let cachedDetector: { key: string; detector: Detector } | undefined;

async function detectorFor(options: DetectorOptions): Promise<Detector> {
  const key = JSON.stringify(options);
  if (cachedDetector?.key !== key) {
    const { createDetector } = await import('@scriptorium/pii');
    cachedDetector = { key, detector: createDetector(options) };
  }
  return cachedDetector.detector;
}

const isWarmUp = isRecord({ models: isModels, languages: isListOf(isString) });

/** Loads the code that most jobs need first: recognition and the text layer. */
async function warmUp(models: Models, languages: readonly string[]): Promise<void> {
  const { loadPdfium } = await import('./pdf/pdfium.ts');
  await Promise.all([
    import('./ocr/ocr.ts'),
    import('./pdf/text-layer.ts'),
    import('./text-outputs.ts'),
    loadPdfium(),
    tesseractFor(models).then((tesseract) => tesseract.warmUp(languages)),
  ]);
}

restrictLoaders();

// The code of a task is loaded with the first task of its kind, so a child that recognises pages
// does not load the code that writes PDFs.
const handlers = handlersOf(
  documentTasks,
  {
    summarise: ({ path, mime }) => summarise(path, mime),
    inspect: ({ path, mime }) => inspect(path, mime),
    readOwnText: async (request) => (await import('./text/index.ts')).readOwnText(request),
    readPageWords: async (request) => (await import('./text/page-words.ts')).readPageWords(request),
    drawPage: async (request) => (await import('./page-images/draw.ts')).drawPage(request),
    recognisePage: async ({ models, ...request }, isolation) => {
      const { languages = ['eng'], existingText = 'skip', rotate = true, deskew = false } = request;
      const how = { languages, existingText, rotate, deskew };
      const { recognisePage } = await import('./ocr/ocr.ts');
      return recognisePage(await tesseractFor(models), { ...request, ...how }, isolation);
    },
    assembleSearchablePdf: async (request) =>
      (await import('./pdf/text-layer.ts')).assembleSearchablePdf(request),
    assembleText: async (request) => (await import('./text-outputs.ts')).assembleText(request),
    assembleWords: async (request) => (await import('./text-outputs.ts')).assembleWords(request),
    findPage: async ({ models, ...request }, isolation) => {
      const { findPage } = await import('./redact/find/find-page.ts');
      return findPage(request, {
        detector: await detectorFor(request.options),
        tesseract: () => tesseractFor(models),
        installed: availableLanguages(models.tessdata),
        isolation,
      });
    },
    spreadValues: async (request) =>
      (await import('./redact/find/spread.ts')).spreadValues(request),
    settlePlans: async (request) => (await import('./redact/find/settle.ts')).settlePlans(request),
    layOutPages: async (request) =>
      (await import('./redact/remove/lay-out.ts')).layOutPages(request),
    redactPages: async (request) => (await import('./redact/remove/index.ts')).redactPages(request),
    redactInKind: async (request) => {
      const { redactInKind } = await import('./redact/kinds/index.ts');
      return redactInKind(request, await detectorFor(request.options));
    },
    findInKind: async (request) => {
      const { findInKind } = await import('./redact/kinds/index.ts');
      return findInKind(request, await detectorFor(request.options));
    },
    readInKind: async (request) => (await import('./redact/kinds/index.ts')).readInKind(request),
    findInName: async ({ name, options }) =>
      (await import('./redact/find/in-name.ts')).findInName(name, await detectorFor(options)),
    extractEmbedded: async (request) => {
      const { extractEmbedded } = await import('./redact/kinds/embedded/plans.ts');
      return extractEmbedded(request, await detectorFor(request.options));
    },
    readPageLayout: async (request) =>
      (await import('./normalize/pages/index.ts')).readPageLayout(request),
    normalizePages: async (request) =>
      (await import('./normalize/pages/index.ts')).normalizePages(request),
    normalizeFile: async (request) =>
      (await import('./normalize/kinds/index.ts')).normalizeFile(request),
    classifyPage: async (request) => (await import('./classify/index.ts')).classifyPage(request),
    classifyFile: async (request) => (await import('./classify/index.ts')).classifyFile(request),
    digestPages: async ({ path }) => {
      const { pageDigests } = await import('./redact/check/file/page-digests.ts');
      return pageDigests(await readFile(path));
    },
    checkFile: async (request) => {
      const { checkFile } = await import('./redact/check/check-file.ts');
      clearCheckCache = (await import('./redact/check/forget.ts')).forgetCheckedFile;
      return checkFile({ ...request, outputPage: null });
    },
    checkPage: async ({ models, ...request }, isolation) => {
      const { checkPage } = await import('./redact/check/check-page.ts');
      clearCheckCache = (await import('./redact/check/forget.ts')).forgetCheckedFile;
      const tesseract = () => tesseractFor(models);
      return checkPage(request, { tesseract, isolation });
    },
  },
  switchIsolation,
);

serveTasks({
  warmUp: checkedHandler(isWarmUp, ({ models, languages }) => warmUp(models, languages)),
  ...handlers,
});
