import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { RedactedPlace } from '@scriptorium/documents/normalize/calls';
import { isPageResult } from '@scriptorium/documents/results';
import type { DonePage, PageOutcome } from '../pages/outcome.ts';
import type { StepWork, StoredPage } from './operation.ts';
import { placesOf, redactedResult } from './redact-pii/left-over.ts';
import { planOf } from './redact-pii/stored.ts';

/** The result of earlier operations for a page, for an operation that may read nothing else. */
interface LeftPage {
  /** The page's `PageResult` as JSON; after `redact_pii` without the removed values. */
  pageFile: string;
  /** The removed values and their places on the page. */
  redacted: RedactedPlace[];
}

/**
 * The result of `ocr`, and of `redact_pii` if it ran, for a page.
 * @returns null when it has expired
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
  if (!isPageResult(result)) throw new Error('The stored result of a recognised page is invalid.');
  const plan = planOf(planned);
  await writeFile(pageFile, JSON.stringify(redactedResult(result, plan)));
  return { pageFile, redacted: placesOf(plan) };
}

async function wordsOf(pages: AsyncIterable<StoredPage>): Promise<Buffer | null> {
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

/** A page of a file that is processed as a whole when outputs are made. */
export async function pageOfWhole(page: number): Promise<DonePage> {
  return { page, state: 'succeeded', result: {}, text: null, words: await toStored(null) };
}

/** A page whose results have expired. */
export function expiredPage(page: number): PageOutcome {
  const error: Failure = {
    code: 'results_expired',
    message: 'The results of the page have expired.',
    retryable: false,
  };
  return { page, state: 'failed', error };
}
