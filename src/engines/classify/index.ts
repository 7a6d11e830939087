import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { EngineError } from '../errors.ts';
import { isPageResult } from '../results.ts';
import type {
  Classified,
  ClassifiedPage,
  ClassifyFileRequest,
  ClassifyPageRequest,
} from './calls.ts';
import { combine } from './combine.ts';
import { featuresOf } from './features.ts';
import { judge } from './model.ts';
import { type PageView, viewPage, viewText } from './view.ts';
import { readWeights, type Weights } from './weights.ts';

let read: Weights | undefined;

/** The weights that `script/train-classifier` made, read once. */
export function shippedWeights(): Weights {
  read ??= readWeights(readFileSync(new URL('./weights.bin', import.meta.url)));
  return read;
}

/** What one page is taken for. */
export const classifyView = (view: PageView): ClassifiedPage =>
  judge(featuresOf(view), shippedWeights());

/** What a recognised page is taken for. Throws EngineError when the file holds no `PageResult`. */
export async function classifyPage({ pageFile }: ClassifyPageRequest): Promise<ClassifiedPage> {
  const page: unknown = JSON.parse(await readFile(pageFile, 'utf8'));
  if (!isPageResult(page)) {
    throw new EngineError('invalid_argument', 'The engine was called without a page.');
  }
  return classifyView(viewPage(page));
}

/** What a file without pages is taken for. Throws EngineError for what cannot be read. */
export async function classifyFile({ path, mime }: ClassifyFileRequest): Promise<Classified> {
  const { textOfFile } = await import('./files.ts');
  return combine(
    stretches(await textOfFile(path, mime)).map((text) => classifyView(viewText(text))),
  );
}

/** As much text as stands on a page, and so many of these: the beginning says what a file is. */
const pageCharacters = 3_500;
const maxPages = 12;

function stretches(text: string): string[] {
  const pages: string[] = [];
  let start = 0;
  while (start < text.length && pages.length < maxPages) {
    const end = start + pageCharacters;
    const cut = end < text.length ? text.lastIndexOf('\n', end) : text.length;
    const stop = cut > start ? cut : end;
    pages.push(text.slice(start, stop));
    start = stop;
  }
  return pages;
}
