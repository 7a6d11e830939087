import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { OperationName } from '../../contracts/operations.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import type { RedactedPlace } from '../../engines/normalize/calls.ts';
import { isPageResult } from '../../engines/results.ts';
import type { DonePage, PageOutcome } from '../finish-pages.ts';
import type { StepWork, StoredPage } from '../operation-work.ts';
import { placesOf, redactedResult } from './redact-pii/left-over.ts';
import { planOf } from './redact-pii/stored.ts';

/** A page as operations before have left it, for one that may see no more of it than that. */
interface LeftPage {
  /** The page's `PageResult` as JSON; after `redact_pii` without what that has removed. */
  pageFile: string;
  /** What was removed from the page, and where. */
  redacted: RedactedPlace[];
}

/**
 * What is left of a page for an operation that comes after `ocr`, and perhaps after `redact_pii`.
 * @returns null when it is no longer kept
 */
export async function leftOfPage<O extends OperationName>(
  work: StepWork<O>,
  page: number,
): Promise<LeftPage | null> {
  const read = await wordsOf(work.pages('ocr', { from: page, to: page }));
  if (!read) return null;
  const pageFile = await work.newFile();
  if (!work.source.redacted) {
    await writeFile(pageFile, await promisify(inflate)(read));
    return { pageFile, redacted: [] };
  }
  const planned = await wordsOf(work.pages('redact_pii', { from: page, to: page }));
  if (!planned) return null;
  const result: unknown = await fromStored(read);
  if (!isPageResult(result)) throw new Error('What is stored of a recognised page cannot be read.');
  const plan = planOf(planned);
  await writeFile(pageFile, JSON.stringify(redactedResult(result, plan)));
  return { pageFile, redacted: placesOf(plan) };
}

async function wordsOf(pages: AsyncIterable<StoredPage>): Promise<Buffer | null> {
  for await (const { words } of pages) return words;
  return null;
}

/** What an operation keeps of a page, as it is stored. */
export function toStored(value: unknown): Promise<Buffer> {
  return promisify(deflate)(JSON.stringify(value)) as Promise<Buffer>;
}

/** The same as it was. */
export async function fromStored(words: Buffer): Promise<unknown> {
  return JSON.parse((await promisify(inflate)(words)).toString('utf8'));
}

/** A page of a file that is worked on as a whole, when all pages are done. */
export async function pageOfWhole(page: number): Promise<DonePage> {
  return { page, state: 'succeeded', result: {}, text: null, words: await toStored(null) };
}

/** A page of which nothing is left to work on. */
export function expiredPage(page: number): PageOutcome {
  const error: Failure = {
    code: 'results_expired',
    message: 'What was read of the page is no longer kept.',
    retryable: false,
  };
  return { page, state: 'failed', error };
}
