import type { PageText } from '@scriptorium/documents';
import { send, type Tx } from '../../db/transaction.ts';
import { scheduleEmbedding } from '../embeddings/state.ts';

/**
 * Adds the text that a job recognised to the search index of its source, in the transaction that
 * ends the job. Each page keeps the text with the most letters, weighted by confidence, so a job on some
 * pages, or one that recognised less, removes nothing. Text after a redaction is stored separately: it is
 * searched if a policy requires a redaction, and otherwise only for pages without other text. The text of
 * a very large document is truncated, which is not an error.
 */
export async function indexText(
  tx: Tx,
  projectId: string,
  objectId: string,
  jobId: string,
): Promise<void> {
  send(tx, 'SELECT keep_text($1, $2, $3)', [projectId, objectId, jobId]);
  await scheduleEmbedding(tx, projectId, objectId);
}

/**
 * Adds the text in a file to the search index of its object. A page keeps the text that a job has
 * recognised meanwhile, if that is longer.
 */
export async function indexOwnText(
  tx: Tx,
  projectId: string,
  objectId: string,
  texts: readonly PageText[],
): Promise<void> {
  const pages = texts.map(({ page }) => page);
  const values = [projectId, objectId, pages, texts.map(({ text }) => text)];
  send(tx, 'SELECT keep_own_text($1, $2, $3::integer[], $4::text[])', values);
  await scheduleEmbedding(tx, projectId, objectId);
}

/** A part of a document, as `normalize_for_llm` divides it. */
interface Chunk {
  index: number;
  pages: number[];
  headings: string[];
  text: string;
  boxes: { page: number; box: number[] }[];
}

/**
 * Makes the chunks of a job the passages of its source, in place of those of the same pages, in the
 * transaction that ends the operation.
 * @param isRedacted whether they are of what a redaction left
 */
export function indexChunks(
  tx: Tx,
  { projectId, sourceObjectId, id }: { projectId: string; sourceObjectId: string; id: string },
  isRedacted: boolean,
  chunks: readonly Chunk[],
): void {
  const rows = chunks.map(({ index, pages: [page, lastPage], headings, text, boxes }) => ({
    chunk: index,
    page,
    last_page: lastPage,
    headings: headings.map(storable),
    text: storable(text),
    boxes: boxes.map(({ page, box }) => ({ page, box })),
  }));
  const values = [projectId, sourceObjectId, id, isRedacted, JSON.stringify(rows)];
  send(tx, 'SELECT keep_chunks($1, $2, $3, $4, $5::jsonb)', values);
}

/** Postgres accepts neither NUL in text nor half of a surrogate pair in JSON. */
const storable = (text: string): string =>
  text.replaceAll('\0', ' ').replace(/\p{Surrogate}/gu, '\ufffd');
