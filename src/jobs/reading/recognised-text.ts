import { isPageResult, type PageResult } from '@scriptorium/documents/results';
import { prepared, type Tx } from '../../db/transaction.ts';
import { fromStored } from '../operations/earlier-result.ts';

/**
 * The recognised text of a page of an object from the latest job; null without such a job, or
 * if its results have expired. Results that a redaction sealed are not read.
 */
export async function readRecognisedText(
  tx: Tx,
  projectId: string,
  objectId: string,
  page: number,
): Promise<PageResult | null> {
  const [row] = await prepared<{ words: Buffer }>(
    tx,
    `SELECT p.words FROM job j
     JOIN job_operation o ON o.project_id = j.project_id AND o.job_id = j.id AND o.op = 'ocr'
     JOIN job_page p ON p.project_id = o.project_id AND p.job_id = o.job_id
       AND p.operation_index = o.index AND p.page = $3
     WHERE j.project_id = $1 AND j.source_object_id = $2 AND p.state = 'succeeded'
       AND NOT p.sealed AND p.words IS NOT NULL
     ORDER BY j.created_at DESC, j.id DESC LIMIT 1`,
    [projectId, objectId, page],
  );
  if (!row) return null;
  const result = await fromStored(row.words);
  if (!isPageResult(result)) throw new Error('The stored result of a recognised page is invalid.');
  return result;
}
