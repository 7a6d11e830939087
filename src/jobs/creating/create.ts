import type { SealText } from '@scriptorium/contracts/documents/sealed';
import type { NewEvent } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import type { JobOrigin } from '@scriptorium/contracts/jobs';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { columnsOf } from '../../db/statements/rows.ts';
import { send, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { PolicyDenied, recordRolledBackDenial } from '../../policies/denials.ts';
import { claimQuota } from '../../policies/quotas.ts';
import { presentNewJob } from '../reading/present.ts';
import { sealOptions, withoutSecrets } from '../sealing/secret-options.ts';
import {
  checkOperations,
  completeOptions,
  isPaged,
  type JobRequest,
  type RequestedOperation,
} from './check.ts';
import { batchProblem, type FoundSource, judgeSources, type SourceReads } from './sources.ts';

export interface NewJob extends NewJobs {
  sourceObjectId: string;
}

/** The outcome for one source of a batch. */
export type BatchOutcome =
  | { sourceObjectId: string; job: JobRecord; problem: null }
  | { sourceObjectId: string; job: null; problem: Problem };

/**
 * Creates a job with its operations, its event and its first task, in the caller's transaction.
 * @returns the job as the API shows it
 * @throws Problem 403 if a policy denies it or an option requires a scope; 409 if the source is not
 *   available; 422 if the source does not exist or has an unsupported type, or if the operations,
 *   their options or the pages are invalid
 */
export async function createJob(tx: Tx, origin: Origin, job: NewJob): Promise<JobRecord> {
  checkOperations(job);
  const [source] = await judgeSources(tx, origin, job, [
    { id: job.sourceObjectId, pointer: '/source_object_id' },
  ]);
  if (source!.problem) throw source!.problem;
  const [jobRecord] = await insertJobs(tx, origin, job, [source!.source]);
  return jobRecord!;
}

/**
 * Creates the same job for several sources: with `abort` for all of them or none, with `continue` for
 * those that allow it.
 * @returns the outcome for each source, in order
 * @throws Problem as `createJob` does; for sources only with `abort`, with a fault for each
 */
export async function createJobs(
  tx: Tx,
  origin: Origin,
  jobs: NewJobs,
  sourceObjectIds: readonly string[],
  onError: 'abort' | 'continue',
): Promise<BatchOutcome[]> {
  checkOperations(jobs);
  const namedSources = sourceObjectIds.map((id, index) => ({
    id,
    pointer: `/source_object_ids/${index}`,
  }));
  const judgedSources = await judgeSources(tx, origin, jobs, namedSources);
  const rejectedSources = judgedSources.flatMap(({ pointer, problem }) =>
    problem ? [{ pointer, problem }] : [],
  );
  if (onError === 'abort' && rejectedSources.length > 0)
    throw batchProblem(rejectedSources, namedSources.length);
  for (const { problem } of rejectedSources) {
    if (problem instanceof PolicyDenied) await recordRolledBackDenial(tx, origin, problem.denial);
  }
  const sources = judgedSources.flatMap(({ source, problem }) => (problem ? [] : [source]));
  const newRecords = (await insertJobs(tx, origin, jobs, sources)).values();
  return judgedSources.map(({ id: sourceObjectId, problem }) =>
    problem
      ? { sourceObjectId, job: null, problem }
      : { sourceObjectId, job: newRecords.next().value!, problem: null },
  );
}

/** A request for one or more identical jobs. */
interface NewJobs extends JobRequest {
  metadata: Record<string, unknown>;
  /** Seals options that contain personal data. */
  seal: SealText;
  retryOf?: { jobId: string; scope: 'failed_pages' | 'all' };
  /** The reads of the sources, if they were sent early. */
  sources?: SourceReads | null;
}

/** An operation of a job; an implicit one was added before the requested ones. */
interface PlannedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  implicit: boolean;
}

/** Adds `ocr` first if pages must be recognised. */
function planOperations(
  requested: readonly RequestedOperation[],
  mime: string,
): PlannedOperation[] {
  const planned = requested.map(({ op, options }) => ({ op, options, implicit: false }));
  if (!isPaged(mime) || planned[0]!.op === 'ocr') return planned;
  return [{ op: 'ocr', options: completeOptions('ocr', {}), implicit: true }, ...planned];
}

interface PlannedJob {
  id: string;
  source: FoundSource;
  operations: PlannedOperation[];
}

/** Writes jobs, their operations, their events and their first tasks. */
async function insertJobs(
  tx: Tx,
  origin: Origin,
  jobs: NewJobs,
  sources: readonly FoundSource[],
): Promise<JobRecord[]> {
  if (sources.length === 0) return [];
  const retryOf = jobs.retryOf?.jobId ?? null;
  const plannedJobs = sources.map((source) => ({
    id: newId('job'),
    source,
    operations: planOperations(jobs.operations, source.mime),
  }));
  claimQuota(tx, origin.projectId, 'jobs_in_flight', plannedJobs.length);
  writeJobs(tx, origin, jobs, plannedJobs);
  await record(
    tx,
    origin,
    ...plannedJobs.map(
      ({ id, source, operations }): NewEvent => ({
        type: 'documents.job.created',
        resourceId: id,
        data: {
          source_object_id: source.id,
          operations: operations.map(({ op }) => op),
          retry_of: retryOf,
        },
      }),
    ),
  );
  for (const { id, operations } of plannedJobs) {
    await schedule(tx, origin.projectId, id, {
      kind: 'operation.open',
      payload: { job_id: id, operation_index: 0, op: operations[0]!.op },
    });
  }
  return plannedJobs.map(({ id, source, operations }) =>
    presentNewJob({
      id,
      retryOf,
      operations: operations.map((operation) => ({
        ...operation,
        options: jobs.mayReadPii ? operation.options : withoutSecrets(operation.options),
      })),
      projectId: origin.projectId,
      sourceObjectId: source.id,
      pages: jobs.pages,
      metadata: jobs.metadata,
      createdAt: source.now,
    }),
  );
}

function writeJobs(
  tx: Tx,
  { projectId, actor, address, requestId }: Origin,
  jobs: NewJobs,
  plannedJobs: readonly PlannedJob[],
): void {
  const origin: JobOrigin = { actor, address, requestId };
  const common = [
    projectId,
    jobs.pages,
    JSON.stringify(jobs.metadata),
    JSON.stringify(origin),
    jobs.retryOf?.jobId ?? null,
    jobs.retryOf?.scope ?? null,
  ];
  const rows = plannedJobs.map(({ id, source }) => [id, source.id]);
  const operations = plannedJobs.flatMap(({ id, source, operations }) =>
    operations.map((operation, index) => [
      id,
      index,
      operation.op,
      JSON.stringify(sealOptions(jobs, { projectId, sourceObjectId: source.id }, operation)),
      operation.implicit,
    ]),
  );
  // For a single job, arrays would double the cost.
  if (plannedJobs.length === 1) {
    send(tx, insertJob, [...common, ...rows[0]!]);
    for (const operation of operations) {
      send(tx, insertOperation, [projectId, ...operation]);
    }
    return;
  }
  send(
    tx,
    `${insertIntoJob} SELECT j.id, j.source, $1, $2, $3, $4, $5, $6
     FROM unnest($7::text[], $8::text[]) AS j (id, source)`,
    [...common, ...columnsOf(rows, 2)],
  );
  send(
    tx,
    `${insertIntoOperation} SELECT $1, o.* FROM unnest(
       $2::text[], $3::integer[], $4::text[], $5::jsonb[], $6::boolean[]) AS o`,
    [projectId, ...columnsOf(operations, 5)],
  );
}

const insertIntoJob = `INSERT INTO job
  (id, source_object_id, project_id, pages, metadata, origin, retry_of, retry_scope)`;
const insertIntoOperation =
  'INSERT INTO job_operation (project_id, job_id, index, op, options, implicit)';
const insertJob = `${insertIntoJob} VALUES ($7, $8, $1, $2, $3, $4, $5, $6)`;
const insertOperation = `${insertIntoOperation} VALUES ($1, $2, $3, $4, $5, $6)`;
