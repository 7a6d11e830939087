import type { JobState } from '../contracts/jobs.ts';
import type { JobRecord, PageRecord, PageStates, RecognisedWord } from '../contracts/wire/jobs.ts';
import { Conditions } from '../db/conditions.ts';
import { query, type Tx } from '../db/transaction.ts';
import { isPageResult } from '../engines/results.ts';
import { fromStored } from './operations/left-page.ts';
import { entitiesOf } from './operations/redact-pii/stored.ts';
import { openPage, type PageSeal, type StoredContent } from './page-secrets.ts';
import { presentJobs } from './present.ts';
import type { OptionsReader } from './secret-options.ts';

/** A job as the API shows it; null when the project has none of this identifier. */
export async function readJob(
  tx: Tx,
  projectId: string,
  jobId: string,
  reader: OptionsReader,
): Promise<JobRecord | null> {
  return (await presentJobs(tx, projectId, [jobId], reader)).get(jobId) ?? null;
}

/** What a list of jobs can be narrowed to. */
interface JobFilters {
  state?: readonly JobState[] | undefined;
  op?: readonly string[] | undefined;
  sourceObjectId?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

/** A row of a list, and the values of the sort that a next page goes on from. */
export interface Placed<Row> {
  row: Row;
  position: (string | number)[];
}

/** The project's jobs, the newest first, from a position on. */
export async function listJobs(
  tx: Tx,
  projectId: string,
  filters: JobFilters,
  page: { after: readonly unknown[] | null; most: number; reader: OptionsReader },
): Promise<Placed<JobRecord>[]> {
  const { after, most, reader } = page;
  const where = jobConditions(projectId, filters);
  if (after) where.add('(created_at, id) < (?, ?)', ...after);
  const rows = await query<{ id: string; position: string }>(
    tx,
    // The position keeps the microseconds that a JavaScript date would drop.
    `SELECT id, created_at::text AS position FROM job WHERE ${where.sql()}
     ORDER BY created_at DESC, id DESC LIMIT ${most}`,
    where.values,
  );
  const records = await presentJobs(
    tx,
    projectId,
    rows.map(({ id }) => id),
    reader,
  );
  return rows.map(({ id, position }) => ({ row: records.get(id)!, position: [position, id] }));
}

/** How many jobs a list would hold. */
export async function countJobs(tx: Tx, projectId: string, filters: JobFilters): Promise<number> {
  const where = jobConditions(projectId, filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM job WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

function jobConditions(projectId: string, filters: JobFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  if (filters.state) where.add('state = ANY(?)', filters.state);
  if (filters.op) {
    where.add(
      `EXISTS (SELECT FROM job_operation o WHERE o.project_id = job.project_id
         AND o.job_id = job.id AND o.op = ANY(?) AND NOT o.implicit)`,
      filters.op,
    );
  }
  if (filters.sourceObjectId) where.add('source_object_id = ?', filters.sourceObjectId);
  if (filters.createdAfter) where.add('created_at > ?', filters.createdAfter);
  if (filters.createdBefore) where.add('created_at < ?', filters.createdBefore);
  return where;
}

/** Which pages to show, in the order of operation and page. */
interface PageFilters {
  state?: readonly string[] | undefined;
  op?: readonly string[] | undefined;
  page?: number | undefined;
}

/** Who reads pages: what opens what is sealed, and whether that may be shown. */
export interface PageReader {
  seal: Pick<PageSeal, 'unseal'>;
  /** The source of the job whose pages they are. */
  sourceObjectId: string;
  mayReadPii: boolean;
  /** Words as well: they are many. */
  withWords?: boolean;
}

interface PageRow extends Omit<PageRecord, 'finished_at' | 'entities' | 'words'>, StoredContent {
  finished_at: Date | null;
}

/** The pages of a job, each with what its operation found, from a position on. */
export async function listPages(
  tx: Tx,
  projectId: string,
  jobId: string,
  filters: PageFilters,
  page: { after: readonly unknown[] | null; most: number; reader: PageReader },
): Promise<PageRecord[]> {
  const where = pageConditions(projectId, jobId, filters);
  if (page.after) where.add('(p.operation_index, p.page) > (?, ?)', ...page.after);
  // To open what may not be shown would be work for nothing.
  const { mayReadPii, withWords } = page.reader;
  const sealed = mayReadPii ? 'p.sealed' : `p.sealed AND o.op = 'redact_pii'`;
  const opened = withWords ? `${sealed} OR NOT p.sealed AND o.op = 'ocr'` : sealed;
  const rows = await query<PageRow>(
    tx,
    `SELECT p.page, p.operation_index, o.op, p.state, p.result, p.text, p.error, p.finished_at,
       p.sealed, CASE WHEN ${opened} THEN p.words END AS words
     FROM ${pagesWithOperations} WHERE ${where.sql()}
     ORDER BY p.operation_index, p.page LIMIT ${page.most}`,
    where.values,
  );
  return Promise.all(rows.map((row) => presentPage(projectId, row, page.reader)));
}

/**
 * A page as the API shows it. What was read of it before it was redacted, and the values that were
 * found, are for those who may read personal data.
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
        ? await wordsOf(content.words)
        : null,
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** What `ocr` left of a page, as the API shows it. */
async function wordsOf(stored: Buffer): Promise<RecognisedWord[]> {
  const result = await fromStored(stored);
  if (!isPageResult(result)) throw new Error('What is stored of a recognised page cannot be read.');
  return result.words.map(({ text, confidence, box }) => ({ text, confidence, box }));
}

/** The state of every page in every operation that has begun, in runs of pages. */
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

/** How many pages a list would hold. */
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

/** A job's version and source when the project has the job, else null. */
export async function jobExists(
  tx: Tx,
  projectId: string,
  jobId: string,
): Promise<{ version: number; source_object_id: string } | null> {
  const [row] = await query<{ version: number; source_object_id: string }>(
    tx,
    'SELECT version, source_object_id FROM job WHERE project_id = $1 AND id = $2',
    [projectId, jobId],
  );
  return row ?? null;
}
