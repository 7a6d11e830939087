import { In } from 'typeorm';
import type { JobState } from '../contracts/jobs.ts';
import type { JobRecord, PageRecord } from '../contracts/wire/jobs.ts';
import { Conditions } from '../db/conditions.ts';
import { query, type Tx } from '../db/transaction.ts';
import { Job } from '../entities/job.ts';
import { presentJobs } from './present.ts';

/** A job as the API shows it; null when the project has none of this identifier. */
export async function readJob(tx: Tx, projectId: string, jobId: string): Promise<JobRecord | null> {
  const job = await tx.findOneBy(Job, { projectId, id: jobId });
  if (!job) return null;
  return (await presentJobs(tx, projectId, [job]))[0]!;
}

/** What a list of jobs can be narrowed to. */
export interface JobFilters {
  state?: JobState[];
  sourceObjectId?: string;
  createdAfter?: string;
  createdBefore?: string;
}

/** Where a page of a list ends: the sort key of its last row. */
export interface JobPosition {
  createdAt: string;
  id: string;
}

/** The project's jobs, the newest first. */
export async function listJobs(
  tx: Tx,
  projectId: string,
  filters: JobFilters,
  page: { after: JobPosition | null; limit: number },
): Promise<{ jobs: JobRecord[]; next: JobPosition | null }> {
  const where = jobConditions(projectId, filters);
  if (page.after) {
    where.add('(created_at, id) < (?, ?)', page.after.createdAt, page.after.id);
  }
  const rows = await query<{ id: string; position: string }>(
    tx,
    // The position keeps the microseconds that a JavaScript date would drop.
    `SELECT id, created_at::text AS position FROM job WHERE ${where.sql()}
     ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
    where.values,
  );
  const shown = rows.slice(0, page.limit);
  const jobs = await tx.findBy(Job, { projectId, id: In(shown.map(({ id }) => id)) });
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const last = shown.at(-1);
  return {
    jobs: await presentJobs(
      tx,
      projectId,
      shown.map(({ id }) => byId.get(id)!),
    ),
    next: rows.length > page.limit && last ? { createdAt: last.position, id: last.id } : null,
  };
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
  if (filters.sourceObjectId) where.add('source_object_id = ?', filters.sourceObjectId);
  if (filters.createdAfter) where.add('created_at > ?', filters.createdAfter);
  if (filters.createdBefore) where.add('created_at < ?', filters.createdBefore);
  return where;
}

/** Which pages to show, in the order of operation and page. */
export interface PageFilters {
  state?: string[];
  op?: string;
}

/** The pages of a job, each with what its operation found. */
export async function listPages(
  tx: Tx,
  projectId: string,
  jobId: string,
  filters: PageFilters,
  page: { after: { index: number; page: number } | null; limit: number },
): Promise<{ pages: PageRecord[]; next: { index: number; page: number } | null }> {
  const where = new Conditions();
  where.add('p.project_id = ? AND p.job_id = ?', projectId, jobId);
  if (filters.state) where.add('p.state = ANY(?)', filters.state);
  if (filters.op) where.add('o.op = ?', filters.op);
  if (page.after) {
    where.add('(p.operation_index, p.page) > (?, ?)', page.after.index, page.after.page);
  }
  const rows = await query<PageRecord & { finished_at: Date | null }>(
    tx,
    `SELECT p.page, p.operation_index, o.op, p.state, p.result, p.text, p.error, p.finished_at
     FROM job_page p JOIN job_operation o
       ON o.project_id = p.project_id AND o.job_id = p.job_id AND o.index = p.operation_index
     WHERE ${where.sql()} ORDER BY p.operation_index, p.page LIMIT ${page.limit + 1}`,
    where.values,
  );
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    pages: shown.map((row) => ({ ...row, finished_at: row.finished_at?.toISOString() ?? null })),
    next:
      rows.length > page.limit && last ? { index: last.operation_index, page: last.page } : null,
  };
}
