import { readFileSync } from 'node:fs';
import { readPageResult } from '../results.ts';
import type {
  Classification,
  ClassifyFileRequest,
  ClassifyPageRequest,
  PageClassification,
} from './calls.ts';
import { combinePages } from './combine.ts';
import { featuresOf } from './features/features.ts';
import { classifyFeatures } from './regression.ts';
import { type PageView, viewPage } from './view.ts';
import { readWeights, type Weights } from './weights.ts';

let weights: Weights | undefined;

/** Returns the weights that `script/train-classifier` wrote. They are read once. */
export function loadWeights(): Weights {
  weights ??= readWeights(readFileSync(new URL('./weights.bin', import.meta.url)));
  return weights;
}

/** Returns the classification of one page. */
export const classifyView = (view: PageView): PageClassification =>
  classifyFeatures(featuresOf(view), loadWeights());

/**
 * Classifies a recognised page.
 * @throws EngineError if the file does not contain a `PageResult`.
 */
export async function classifyPage({ pageFile }: ClassifyPageRequest): Promise<PageClassification> {
  return classifyView(viewPage(await readPageResult(pageFile)));
}

/**
 * Classifies a file without pages.
 * @throws EngineError if the file cannot be read.
 */
export async function classifyFile({ path, mime }: ClassifyFileRequest): Promise<Classification> {
  const { viewFile } = await import('./files.ts');
  return combinePages((await viewFile(path, mime)).map(classifyView));
}
