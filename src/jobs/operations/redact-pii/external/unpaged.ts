import { readJsonLines, writeJsonLines } from '@scriptorium/documents/files/json-lines';
import { isTextPiece } from '@scriptorium/documents/redact/contract/guards';
import type {
  ExternalInKind,
  ExternalPlace,
} from '@scriptorium/documents/redact/contract/requests';
import type { ProcessedPage } from '../../../pages/outcome.ts';
import { callOptionsOf, fileOf } from '../../calls.ts';
import { resultsExpired } from '../../earlier-result.ts';
import type { StepWork } from '../../operation.ts';
import { OperationFailed } from '../../operation-failed.ts';
import { type ExternalSearch, externalSearchOf, toWords } from '../stored.ts';
import { findExternally } from './search.ts';

type Work = StepWork<'redact_pii'>;

/** The time limit for reading a file of the maximum size. */
const readMs = 300_000;

/**
 * Lets the external recogniser search a file without pages. The findings are stored as the first
 * page, so that a review and the removal use the same. Null if it may not read the source.
 * @throws OperationFailed if it is unavailable and policies do not allow to continue
 */
export async function searchUnpaged(work: Work): Promise<ProcessedPage | null> {
  const permitted = await work.permittedRecogniser();
  if (!permitted) return null;
  const textFile = await work.newFile();
  const { digest } = await work.engines.readInKind(
    { ...fileOf(work.source), textFile },
    callOptionsOf(work.source, readMs, work.signal),
  );
  const texts = await textsByPage(textFile);
  const found = await findExternally(work, permitted, [...new Set(texts.values())]);
  const places: ExternalPlace[] = [];
  for (const [page, text] of texts) {
    for (const finding of found?.get(text) ?? []) places.push({ page, ...finding });
  }
  const search: ExternalSearch = found
    ? { external: 'searched', digest, places }
    : { external: 'unavailable' };
  return { page: 1, state: 'succeeded', result: {}, text: null, words: toWords(search) };
}

async function textsByPage(textFile: string): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for await (const { page, text } of readJsonLines(textFile, isTextPiece)) {
    texts.set(page, (texts.get(page) ?? '') + text);
  }
  return texts;
}

/**
 * The stored search of a file without pages; null if the external recogniser was not asked.
 * @throws OperationFailed if the first page failed, or its results have expired
 */
export async function externalSearch(work: Work): Promise<ExternalSearch | null> {
  for await (const { words, error } of work.pages('redact_pii', { from: 1, to: 1 })) {
    if (words) return externalSearchOf(words);
    throw new OperationFailed(error ?? resultsExpired);
  }
  return null;
}

/** The findings of a search, for the engine; undefined without any. */
export async function placesFor(
  work: Work,
  search: ExternalSearch | null,
): Promise<ExternalInKind | undefined> {
  if (search?.external !== 'searched') return undefined;
  const placesFile = await work.newFile();
  await writeJsonLines(placesFile, search.places);
  return { placesFile, digest: search.digest };
}
