import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import { type Hocr, parseHocr } from './hocr.ts';
import { type GreyPicture, type Tesseract, toPgm } from './recogniser.ts';
import type { Models, Tessdata } from './tessdata.ts';

/**
 * Puts the models into `folder`, because tesseract.js reads models from one folder. It detects gzip
 * by the first bytes, not by the name.
 */
async function stageModels(folder: string, tessdata: Tessdata, languages: readonly string[]) {
  await mkdir(folder, { recursive: true });
  for (const language of languages) {
    const from = tessdata[language];
    if (from === undefined) continue;
    const to = join(folder, `${language}.traineddata`);
    try {
      await symlink(from, to);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== 'EEXIST') await copyFile(from, to);
    }
  }
}

async function startWorker(
  folder: string,
  tessdata: Tessdata,
  languages: readonly string[],
  legacy: boolean,
): Promise<Worker> {
  await stageModels(folder, tessdata, languages);
  // If a model cannot be read, `createWorker` never settles, but calls its error handler.
  return new Promise((resolve, reject) => {
    createWorker(languages.join('+'), legacy ? OEM.TESSERACT_ONLY : OEM.LSTM_ONLY, {
      langPath: folder,
      gzip: false,
      cacheMethod: 'none',
      legacyCore: legacy,
      legacyLang: legacy,
      errorHandler: (reason: unknown) => reject(new Error(`tesseract: ${String(reason)}`)),
    }).then(resolve, reject);
  });
}

/**
 * Returns the tesseract.js recogniser: a worker for text, and a worker for the orientation of pages
 * that starts when it is first needed.
 */
export function createWasmTesseract({ tessdata }: Models): Tesseract {
  const folder = join(tmpdir(), 'tessdata');
  /** Undefined until the first picture. */
  let active: { worker: Worker; languages: string; isolation: string | undefined } | undefined;
  let orientationWorker: Worker | undefined;

  async function warmUp(languages: readonly string[]): Promise<void> {
    active ??= await startTextWorker(languages);
  }

  async function startTextWorker(languages: readonly string[]) {
    const worker = await startWorker(folder, tessdata, languages, false);
    await enableLayoutAnalysis(worker);
    return { worker, languages: languages.join('+'), isolation: undefined };
  }

  /**
   * Sets full layout analysis (3). By default, tesseract.js assumes a single block of text (PSM 6),
   * which mixes columns.
   */
  async function enableLayoutAnalysis(worker: Worker): Promise<void> {
    await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO });
  }

  async function textWorkerFor(languages: readonly string[], isolation: string): Promise<Worker> {
    const key = languages.join('+');
    if (active && active.languages !== key) {
      await active.worker.terminate();
      active = undefined;
    }
    active ??= await startTextWorker(languages);
    if (active.isolation !== undefined && active.isolation !== isolation) {
      // The classifier adapts to the text that it reads, so a new project gets a new classifier.
      await active.worker.reinitialize(key, OEM.LSTM_ONLY);
      await enableLayoutAnalysis(active.worker);
    }
    active.isolation = isolation;
    return active.worker;
  }

  async function recognise(
    picture: GreyPicture,
    languages: readonly string[],
    isolation: string,
  ): Promise<Hocr> {
    const worker = await textWorkerFor(languages, isolation);
    await worker.setParameters({
      user_defined_dpi: picture.dpi === undefined ? '0' : String(Math.round(picture.dpi)),
    });
    const { data } = await worker.recognize(toPgm(picture), {}, { text: false, hocr: true });
    return parseHocr(data.hocr ?? '');
  }

  async function detectOrientation(picture: GreyPicture) {
    if (!('osd' in tessdata)) return undefined;
    orientationWorker ??= await startWorker(folder, tessdata, ['osd'], true);
    try {
      const { data } = await orientationWorker.detect(toPgm(picture));
      if (data.orientation_degrees === null) return undefined;
      return { degrees: data.orientation_degrees, confidence: data.orientation_confidence ?? 0 };
    } catch {
      // The page has too little text.
      return undefined;
    }
  }

  return { warmUp, recognise, detectOrientation };
}
