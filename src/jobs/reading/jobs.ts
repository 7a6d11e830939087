import type { JobState } from '@scriptorium/contracts/jobs';
import type { JobRecord, JobSort } from '@scriptorium/contracts/wire/jobs';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type Sort,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { Job } from '../../entities/jobs/job.ts';
import type { OptionsReader } from '../sealing/secret-options.ts';
import { presentJobs } from './present.ts';

/** A job of the project as the API shows it, or null. */
export async function readJob(
  tx: Tx,
  projectId: string,
  jobId: string,
  reader: OptionsReader,
): Promise<JobRecord | null> {
  return (await presentJobs(tx, projectId, [jobId], reader)).get(jobId) ?? null;
}

/** The filters of a list of jobs. */
interface JobFilters {
  ids?: readonly string[] | undefined;
  state?: readonly JobState[] | undefined;
  op?: readonly string[] | undefined;
  sourceObjectId?: string | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

/** A row of a list, and the sort values after which the next page starts. */
export interface PositionedRow<Row> {
  row: Row;
  position: (string | number)[];
}

const sortKeys: SortKeys<JobSort> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  state: { column: 'state', type: 'text' },
};

/** The project's jobs after a position, sorted. */
export async function listJobs(
  tx: Tx,
  projectId: string,
  filters: JobFilters,
  page: { sort: Sort<JobSort>; after: Position | null; limit: number; reader: OptionsReader },
): Promise<PositionedRow<JobRecord>[]> {
  const { sort, after, limit, reader } = page;
  const where = jobConditions(projectId, filters);
  const keyset = keysetOf(sortKeys, sort);
  keyset.startAfter(where, after);
  const rows = await query<Positioned>(
    tx,
    `SELECT id, ${keyset.position} FROM job WHERE ${where.sql()}
     ORDER BY ${keyset.order} LIMIT ${limit}`,
    where.values,
  );
  const records = await presentJobs(
    tx,
    projectId,
    rows.map(({ id }) => id),
    reader,
  );
  return rows.map((row) => ({ row: records.get(row.id)!, position: keyset.positionOf(row) }));
}

/** Counts the jobs that match the filters. */
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
  if (filters.ids) where.add('id = ANY(?::text[])', filters.ids);
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

/** The version and source of a job of the project, or null. */
export async function findJobVersion(
  tx: Tx,
  projectId: string,
  jobId: string,
): Promise<Pick<Job, 'version' | 'sourceObjectId'> | null> {
  return tx.findOne(Job, {
    select: { version: true, sourceObjectId: true },
    where: { projectId, id: jobId },
  });
}
