import type { PagePlan } from '@scriptorium/documents';
import { isPageResult, type PageResult } from '@scriptorium/documents/results';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Review } from '../../entities/reviews/review.ts';
import { fromStored } from '../operations/earlier-result.ts';
import { planOf } from '../operations/redact-pii/stored.ts';
import { openPage, type PageSeal, type StoredContent } from '../sealing/page-content.ts';

interface PageRow extends StoredContent {
  page: number;
}

/** The stored pages of an operation of a review's job, starting at a page. */
async function readPages(
  tx: Tx,
  { projectId, jobId }: Review,
  op: 'ocr' | 'redact_pii',
  from: number,
  limit: number,
): Promise<PageRow[]> {
  return prepared<PageRow>(
    tx,
    `SELECT p.page, p.text, p.words, p.sealed FROM job_page p JOIN job_operation o
       ON o.project_id = p.project_id AND o.job_id = p.job_id AND o.index = p.operation_index
     WHERE p.project_id = $1 AND p.job_id = $2 AND o.op = $3 AND p.page >= $4
     ORDER BY p.page LIMIT $5`,
    [projectId, jobId, op, from, limit],
  );
}

function wordsOf(
  seal: Pick<PageSeal, 'unseal'>,
  { projectId, sourceObjectId }: Review,
  op: 'ocr' | 'redact_pii',
  { page, ...content }: PageRow,
): Buffer | null {
  return openPage(seal, { projectId, sourceObjectId, op, page }, content).words;
}

/** The plans of up to `limit` pages of a review, starting at a page; null for a page without one. */
export async function readPlansFrom(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  from: number,
  limit: number,
): Promise<{ page: number; plan: PagePlan | null }[]> {
  const rows = await readPages(tx, review, 'redact_pii', from, limit);
  return rows.map((row) => {
    const words = wordsOf(seal, review, 'redact_pii', row);
    return { page: row.page, plan: words && planOf(words) };
  });
}

/** The recognised text of a page of a review's job; null if it is not stored. */
export async function readWords(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  review: Review,
  page: number,
): Promise<PageResult['words'] | null> {
  const [row] = await readPages(tx, review, 'ocr', page, 1);
  if (row?.page !== page) return null;
  const words = wordsOf(seal, review, 'ocr', row);
  if (words === null) return null;
  const result = await fromStored(words);
  if (!isPageResult(result)) throw new Error('The stored result of a recognised page is invalid.');
  return result.words;
}
