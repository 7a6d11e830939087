import type { PageText } from '@scriptorium/documents';
import { send, type Tx } from '../../db/transaction.ts';

/**
 * Adds the text that a job recognised to the search index of its source, in the transaction that
 * ends the job. Each page keeps the text with the most letters, weighted by confidence, so a job on some
 * pages, or one that recognised less, removes nothing. Text after a redaction is stored separately: it is
 * searched if a policy requires a redaction, and otherwise only for pages without other text. The text of
 * a very large document is truncated, which is not an error.
 */
export function indexText(tx: Tx, projectId: string, objectId: string, jobId: string): void {
  send(tx, 'SELECT keep_text($1, $2, $3)', [projectId, objectId, jobId]);
}

/**
 * Adds the text in a file to the search index of its object. A page keeps the text that a job has
 * recognised meanwhile, if that is longer.
 */
export function indexOwnText(
  tx: Tx,
  projectId: string,
  objectId: string,
  texts: readonly PageText[],
): void {
  const pages = texts.map(({ page }) => page);
  const values = [projectId, objectId, pages, texts.map(({ text }) => text)];
  send(tx, 'SELECT keep_own_text($1, $2, $3::integer[], $4::text[])', values);
}
