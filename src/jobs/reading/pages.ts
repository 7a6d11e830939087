import type { PageRecord, PageStates, RecognisedWord } from '@scriptorium/contracts/wire/jobs';
import { isPageResult } from '@scriptorium/documents/results';
import { Conditions } from '../../db/statements/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { fromStored } from '../operations/earlier-result.ts';
import { entitiesOf } from '../operations/redact-pii/stored.ts';
import { openPage, type PageSeal, type StoredContent } from '../sealing/page-content.ts';

/** The filters of a list of pages. */
interface PageFilters {
  state?: readonly string[] | undefined;
  op?: readonly string[] | undefined;
  page?: number | undefined;
}

/** The rights of a caller that reads pages. */
export interface PageReader {
  seal: Pick<PageSeal, 'unseal'>;
  /** The source of the pages' job. */
  sourceObjectId: string;
  mayReadPii: boolean;
  /** Whether to include the words, which may be many. */
  withWords?: boolean;
}

interface PageRow extends Omit<PageRecord, 'finished_at' | 'entities' | 'words'>, StoredContent {
  finished_at: Date | null;
}

/**
 * The pages of a job after a position, ordered by operation and page. They are returned only
 * while the source exists: without it, no policy decides who may read them.
 */
export async function listPages(
  tx: Tx,
  projectId: string,
  jobId: string,
  filters: PageFilters,
  page: { after: readonly unknown[] | null; limit: number; reader: PageReader },
): Promise<PageRecord[]> {
  const where = pageConditions(projectId, jobId, filters);
  if (page.after) where.add('(p.operation_index, p.page) > (?, ?)', ...page.after);
  // Content that may not be returned is not opened.
  const { mayReadPii, withWords } = page.reader;
  const readableSealed = mayReadPii ? 'p.sealed' : `p.sealed AND o.op = 'redact_pii'`;
  const returnedWords = withWords
    ? `${readableSealed} OR NOT p.sealed AND o.op = 'ocr'`
    : readableSealed;
  const rows = await query<PageRow>(
    tx,
    `SELECT p.page, p.operation_index, o.op, p.state, p.error, p.finished_at, p.sealed,
       CASE WHEN source.id IS NOT NULL THEN p.result END AS result,
       CASE WHEN source.id IS NOT NULL THEN p.text END AS text,
       CASE WHEN source.id IS NOT NULL AND (${returnedWords}) THEN p.words END AS words
     FROM ${pagesWithOperations}
     JOIN job j ON j.project_id = p.project_id AND j.id = p.job_id
     LEFT JOIN object source ON source.project_id = j.project_id AND source.id = j.source_object_id
     WHERE ${where.sql()}
     ORDER BY p.operation_index, p.page LIMIT ${page.limit}`,
    where.values,
  );
  return Promise.all(rows.map((row) => presentPage(projectId, row, page.reader)));
}

/**
 * A page as the API shows it. Text read before the redaction, and the values that were found, are
 * only returned to callers that may read personal data.
 */
async function presentPage(
  projectId: string,
  row: PageRow,
  reader: PageReader,
): Promise<PageRecord> {
  const { seal, sourceObjectId, mayReadPii, withWords } = reader;
  const { sealed, words, text, finished_at, ...page } = row;
  const content = openPage(
    seal,
    { projectId, sourceObjectId, op: page.op, page: page.page },
    { sealed, words, text },
  );
  return {
    ...page,
    text: mayReadPii ? content.text : text,
    entities:
      page.op === 'redact_pii' && content.words ? entitiesOf(content.words, mayReadPii) : null,
    words:
      withWords && page.op === 'ocr' && content.words && (mayReadPii || !sealed)
        ? await presentWords(content.words)
        : null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** The words of a recognised page, as the API shows them. */
async function presentWords(storedWords: Buffer): Promise<RecognisedWord[]> {
  const result = await fromStored(storedWords);
  if (!isPageResult(result)) throw new Error('The stored result of a recognised page is invalid.');
  return result.words.map(({ text, confidence, box }) => ({ text, confidence, box }));
}

/** The state of every page in each operation that has begun, by ranges of pages. */
export async function readPageStates(
  tx: Tx,
  projectId: string,
  jobId: string,
): Promise<PageStates> {
  const rows = await query<PageStates['operations'][number]>(
    tx,
    `WITH page AS (
       SELECT operation_index, page, state, page - row_number() OVER (
         PARTITION BY operation_index, state ORDER BY page) AS run
       FROM job_page WHERE project_id = $1 AND job_id = $2),
     run AS (
       SELECT operation_index, state, min(page) AS "from", max(page) AS "to"
       FROM page GROUP BY operation_index, state, run)
     SELECT o.index, o.op, coalesce(json_agg(json_build_object('from', r."from", 'to', r."to",
       'state', r.state) ORDER BY r."from") FILTER (WHERE r.state IS NOT NULL), '[]') AS runs
     FROM job_operation o LEFT JOIN run r ON r.operation_index = o.index
     WHERE o.project_id = $1 AND o.job_id = $2 GROUP BY o.index, o.op ORDER BY o.index`,
    [projectId, jobId],
  );
  return { operations: rows };
}

/** The number of pages in a list. */
export async function countPages(
  tx: Tx,
  projectId: string,
  jobId: string,
  filters: PageFilters,
): Promise<number> {
  const where = pageConditions(projectId, jobId, filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM ${pagesWithOperations} WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

const pagesWithOperations = `job_page p JOIN job_operation o
  ON o.project_id = p.project_id AND o.job_id = p.job_id AND o.index = p.operation_index`;

function pageConditions(projectId: string, jobId: string, filters: PageFilters): Conditions {
  const where = new Conditions();
  where.add('p.project_id = ? AND p.job_id = ?', projectId, jobId);
  if (filters.state) where.add('p.state = ANY(?)', filters.state);
  if (filters.op) where.add('o.op = ANY(?)', filters.op);
  if (filters.page) where.add('p.page = ?', filters.page);
  return where;
}
