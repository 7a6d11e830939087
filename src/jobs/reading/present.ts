import type { OperationName } from '@scriptorium/contracts/operations';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { selectListOf } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import { type OptionsReader, presentOptions } from '../sealing/secret-options.ts';

interface OutputRow {
  job_id: string;
  object_id: string;
  operation_index: number;
  kind: string;
  mime: string;
  bytes: number;
  sha256: string;
}

/**
 * Reads jobs of the project as the API shows them, with their operations and outputs, by identifier.
 * Takes one round trip.
 */
export async function presentJobs(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
  reader: OptionsReader,
): Promise<Map<string, JobRecord>> {
  const parameters = [projectId, ids];
  const [jobs, operations, outputs] = await Promise.all([
    prepared<Job>(
      tx,
      `SELECT ${selectListOf(tx, Job)} FROM job WHERE project_id = $1 AND id = ANY($2)`,
      parameters,
    ),
    prepared<JobOperation>(
      tx,
      `SELECT ${selectListOf(tx, JobOperation)} FROM job_operation
       WHERE project_id = $1 AND job_id = ANY($2) ORDER BY index`,
      parameters,
    ),
    prepared<OutputRow>(
      tx,
      `SELECT o.job_id, o.object_id, o.operation_index, o.kind, object.mime, object.bytes, object.sha256
       FROM job_output o JOIN object ON object.project_id = o.project_id AND object.id = o.object_id
       WHERE o.project_id = $1 AND o.job_id = ANY($2) ORDER BY o.operation_index, o.kind = 'attachment', o.kind, o.object_id`,
      parameters,
    ),
  ]);
  const records = jobs.map((job) =>
    presentJob(
      job,
      operations.filter(({ jobId }) => jobId === job.id),
      outputs.filter(({ job_id }) => job_id === job.id),
      reader,
    ),
  );
  return new Map(records.map((record) => [record.id, record]));
}

/** A new job as the API returns it, without reading its rows back. */
export function presentNewJob(job: {
  id: string;
  projectId: string;
  sourceObjectId: string;
  pages: string | null;
  operations: readonly {
    op: OperationName;
    options: Record<string, unknown>;
    implicit: boolean;
  }[];
  metadata: Record<string, unknown>;
  retryOf: string | null;
  createdAt: Date;
}): JobRecord {
  return {
    id: job.id,
    project_id: job.projectId,
    state: 'queued',
    source_object_id: job.sourceObjectId,
    pages: job.pages,
    operations: job.operations.map(({ op, options, implicit }, index) => ({
      index,
      op,
      options,
      implicit,
      state: 'pending',
      progress: {
        pages_total: null,
        pages_succeeded: 0,
        pages_failed: 0,
        pages_skipped: 0,
        percent: 0,
      },
      result: null,
      error: null,
      started_at: null,
      finished_at: null,
    })),
    progress: {
      percent: 0,
      pages_total: null,
      pages_completed: 0,
      pages_failed: 0,
      current_operation_index: 0,
      eta_seconds: null,
    },
    outputs: [],
    warnings: [],
    error: null,
    retry_of: job.retryOf,
    metadata: job.metadata,
    created_at: job.createdAt.toISOString(),
    started_at: null,
    finished_at: null,
    version: 1,
  };
}

function presentJob(
  job: Job,
  operations: JobOperation[],
  outputs: OutputRow[],
  reader: OptionsReader,
): JobRecord {
  return {
    id: job.id,
    project_id: job.projectId,
    state: job.state,
    source_object_id: job.sourceObjectId,
    pages: job.pages,
    operations: operations.map((operation) => presentOperation(job, operation, reader)),
    progress: {
      percent: job.percent,
      pages_total: job.pagesTotal,
      pages_completed: job.pagesCompleted,
      pages_failed: job.pagesFailed,
      current_operation_index: job.currentOperationIndex,
      eta_seconds: etaSeconds(job),
    },
    outputs: outputs.map(({ job_id: _job, ...output }) => output),
    warnings: job.warnings,
    error: job.error,
    retry_of: job.retryOf,
    metadata: job.metadata,
    created_at: job.createdAt.toISOString(),
    started_at: isoTime(job.startedAt),
    finished_at: isoTime(job.finishedAt),
    version: job.version,
  };
}

function presentOperation(
  job: Job,
  operation: JobOperation,
  reader: OptionsReader,
): JobRecord['operations'][number] {
  const done = operation.pagesSucceeded + operation.pagesFailed + operation.pagesSkipped;
  const hasSucceeded = operation.state === 'succeeded' || operation.state === 'partially_succeeded';
  return {
    index: operation.index,
    op: operation.op,
    options: presentOptions(reader, job, operation),
    implicit: operation.implicit,
    state: operation.state,
    progress: {
      pages_total: operation.pagesTotal,
      pages_succeeded: operation.pagesSucceeded,
      pages_failed: operation.pagesFailed,
      pages_skipped: operation.pagesSkipped,
      percent: hasSucceeded
        ? 100
        : operation.pagesTotal
          ? Math.min(99, Math.floor((100 * done) / operation.pagesTotal))
          : 0,
    },
    result: operation.result,
    error: operation.error,
    started_at: isoTime(operation.startedAt),
    finished_at: isoTime(operation.finishedAt),
  };
}

/** Estimated seconds until the end at the current pace; null before the first and after the last page. */
function etaSeconds(job: Job): number | null {
  if (job.state !== 'running' || !job.startedAt || !job.pagesTotal || job.pagesCompleted === 0) {
    return null;
  }
  const remaining = job.pagesTotal - job.pagesCompleted;
  // The last outputs may take hours, which cannot be estimated from the pace of the pages.
  if (remaining <= 0) return null;
  const elapsed = (job.updatedAt.getTime() - job.startedAt.getTime()) / 1_000;
  return Math.round((elapsed / job.pagesCompleted) * remaining);
}

function isoTime(value: Date | null): string | null {
  return value ? value.toISOString() : null;
}
