import { readFileSync } from 'node:fs';
import { readPageResult } from '../results.ts';
import type {
  Classified,
  ClassifiedPage,
  ClassifyFileRequest,
  ClassifyPageRequest,
} from './calls.ts';
import { combine } from './combine.ts';
import { featuresOf } from './features/features.ts';
import { classifyFeatures } from './regression.ts';
import { type PageView, viewPage } from './view.ts';
import { readWeights, type Weights } from './weights.ts';

let read: Weights | undefined;

/** Returns the weights that `script/train-classifier` wrote. They are read once. */
export function shippedWeights(): Weights {
  read ??= readWeights(readFileSync(new URL('./weights.bin', import.meta.url)));
  return read;
}

/** Returns the classification of one page. */
export const classifyView = (view: PageView): ClassifiedPage =>
  classifyFeatures(featuresOf(view), shippedWeights());

/**
 * Classifies a recognised page.
 * @throws EngineError if the file does not contain a `PageResult`.
 */
export async function classifyPage({ pageFile }: ClassifyPageRequest): Promise<ClassifiedPage> {
  return classifyView(viewPage(await readPageResult(pageFile)));
}

/**
 * Classifies a file without pages.
 * @throws EngineError if the file cannot be read.
 */
export async function classifyFile({ path, mime }: ClassifyFileRequest): Promise<Classified> {
  const { viewFile } = await import('./files.ts');
  return combine((await viewFile(path, mime)).map(classifyView));
}
