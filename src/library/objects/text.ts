import { send, type Tx } from '../../db/transaction.ts';

/**
 * Takes the text that a job left of its pages into what its source is searched by, in the transaction
 * that ends the job. Of each page the fullest reading stays, so a job over some pages, or one that read
 * less, takes nothing away. What a redaction left is kept apart: it is searched where a policy requires
 * a redaction, and elsewhere only of pages that were never read otherwise. The text of a very large
 * document is cut, and is never an error.
 */
export function indexText(tx: Tx, projectId: string, objectId: string, jobId: string): void {
  send(tx, 'SELECT keep_text($1, $2, $3)', [projectId, objectId, jobId]);
}
