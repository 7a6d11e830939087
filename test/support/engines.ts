import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { createEngines, type Engines, type PageResult } from '@scriptorium/documents';
import {
  chooseRecogniser,
  type RecogniserChoice,
} from '../../packages/documents/src/ocr/tesseract/native.ts';
import { stopAfterRun } from './services.ts';

const enginesByKind = new Map<RecogniserChoice, Engines>();

/** The project that calls of tests name: a child serves one, and the next costs another child. */
export const callOptions = { deadlineMs: 600_000, isolation: 'prj_test' };

/**
 * The engines that the tests of a run share: each start of a child costs seconds. They are closed
 * after the run. Tests of
 * limits, deadlines and isolation create their own.
 */
export function sharedEngines(recogniser: RecogniserChoice = 'auto'): Engines {
  const kind: RecogniserChoice = chooseRecogniser(recogniser) === null ? 'wasm' : 'native';
  const existing = enginesByKind.get(kind);
  if (existing) return existing;
  const limits = { processes: 2, memoryBytes: 2 ** 30, tmpDir: tmpdir() };
  const engines = createEngines({ ...limits, recogniser: kind });
  stopAfterRun(engines.close);
  enginesByKind.set(kind, engines);
  return engines;
}

/** Engines that recognise a page once, for tests in which many jobs read the same file. */
export function recogniseOnce(engines: Engines): Engines {
  const pages = new Map<string, PageResult>();
  return {
    ...engines,
    recognisePage: async (request, options) => {
      const { path, page, languages, existingText, rotate, deskew } = request;
      // Files are named after the hash of their bytes.
      const key = JSON.stringify([basename(path), page, languages, existingText, rotate, deskew]);
      const result = pages.get(key) ?? (await engines.recognisePage(request, options));
      pages.set(key, result);
      return result;
    },
  };
}
