import { buffer } from 'node:stream/consumers';
import { type Engines, isPageWords, type PageWords } from '@scriptorium/documents';
import type { Database } from '../../../db/database.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { VariantRequest } from '../../variants.ts';
import { giveUpVariant, makeVariant } from '../make-variant.ts';
import { pageVariantPrefix } from './page-image.ts';

interface WordsDeps {
  database: Database;
  storage: Storage;
  engines: Engines;
}

/** Shorter than the task's deadline, to distinguish a damaged page from a machine that hangs. */
const readTimeoutMs = 60_000;

type WordsRun = TaskRun<'object.words'>;

const variantOf = (page: number): string => `${pageVariantPrefix}${page}:words`;

/** The variant with the words of a page, and the task that reads them. It is kept as long as pictures. */
export function wordsVariant(objectId: string, page: number): VariantRequest {
  const payload = { object_id: objectId, page };
  return { variant: variantOf(page), task: { kind: 'object.words', payload } };
}

/** Reads the words of a page, and stores them as a variant. */
export async function readWords(deps: WordsDeps, run: WordsRun): Promise<void> {
  const { page } = run.task.payload;
  await makeVariant(deps, run, variantOf(page), ({ projectId, mime }, path, outPath) =>
    deps.engines.readPageWords(
      { path, mime, page, outPath },
      { deadlineMs: readTimeoutMs, signal: run.signal, isolation: projectId },
    ),
  );
}

/** Fails the words of a page after the worker crashed in each attempt to read them. */
export async function giveUpReadingWords(run: WordsRun): Promise<void> {
  await giveUpVariant(run, variantOf(run.task.payload.page), 'Reading the page');
}

/** The words stored by `readWords`. */
export async function openWords(
  storage: Storage,
  projectId: string,
  sha256: string,
): Promise<PageWords> {
  const stored = await buffer(await storage.open(projectId, sha256));
  const words: unknown = JSON.parse(stored.toString('utf8'));
  if (!isPageWords(words)) throw new Error('The stored words of a page are invalid.');
  return words;
}
