import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { RedactedArea } from '@scriptorium/documents/normalize/calls';
import { isPageResult } from '@scriptorium/documents/results';
import type { PageOutcome, ProcessedPage } from '../pages/outcome.ts';
import type { StepWork, StoredPage } from './operation.ts';
import { redactedPlaces, redactedResult } from './redact-pii/redacted-words.ts';
import { planOf } from './redact-pii/stored.ts';

/** The result of earlier operations for a page, the only input that later operations may read. */
interface EarlierResult {
  /** The page's `PageResult` as JSON; after `redact_pii` without the removed values. */
  pageFile: string;
  /** The areas of the page where values were removed, and their marks. */
  redacted: RedactedArea[];
}

/**
 * Reads the result of `ocr` for a page, without the values that `redact_pii` removed if it ran.
 * @returns null if the results have expired
 */
export async function readEarlierResult<O extends OperationName>(
  work: StepWork<O>,
  page: number,
): Promise<EarlierResult | null> {
  const ocrWords = await firstWords(work.pages('ocr', { from: page, to: page }));
  if (!ocrWords) return null;
  const pageFile = await work.newFile();
  if (!work.source.redacted) {
    await writeFile(pageFile, await promisify(inflate)(ocrWords));
    return { pageFile, redacted: [] };
  }
  const planWords = await firstWords(work.pages('redact_pii', { from: page, to: page }));
  if (!planWords) return null;
  const result: unknown = await fromStored(ocrWords);
  if (!isPageResult(result)) throw new Error('The stored result of a recognised page is invalid.');
  const plan = planOf(planWords);
  await writeFile(pageFile, JSON.stringify(redactedResult(result, plan)));
  return { pageFile, redacted: redactedPlaces(plan) };
}

async function firstWords(pages: AsyncIterable<StoredPage>): Promise<Buffer | null> {
  for await (const { words } of pages) return words;
  return null;
}

/** Compresses an operation's data of a page for storage. */
export function toStored(value: unknown): Promise<Buffer> {
  return promisify(deflate)(JSON.stringify(value)) as Promise<Buffer>;
}

/** Decompresses the result of `toStored`. */
export async function fromStored(words: Buffer): Promise<unknown> {
  return JSON.parse((await promisify(inflate)(words)).toString('utf8'));
}

/** The outcome for a page of a file without pages, which the assembly processes as a whole. */
export async function unpagedPage(page: number): Promise<ProcessedPage> {
  return { page, state: 'succeeded', result: {}, text: null, words: await toStored(null) };
}

/** The failure of a page whose results have expired. */
export const resultsExpired: Failure = {
  code: 'results_expired',
  message: 'The results of the page have expired.',
  retryable: false,
};

/** The outcome for a page whose results have expired. */
export function expiredPage(page: number): PageOutcome {
  return { page, state: 'failed', error: resultsExpired };
}
