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
import { PolicyDenied, recordDenied } from '../../policies/denials.ts';
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
import { type FoundSource, judgeSources, problemOfAll, type SourcesAhead } from './sources.ts';

export interface NewJob extends NewJobs {
  sourceObjectId: string;
}

/** The outcome for one source of a batch. */
export type BatchOutcome =
  | { sourceObjectId: string; job: JobRecord; problem: null }
  | { sourceObjectId: string; job: null; problem: Problem };

/**
 * Creates a job: the job, its operations, its event and its first task, in the caller's transaction.
 * Throws a Problem when a policy denies it or an option requires a scope (403), when the source is not
 * available (409), and when it does not exist, is of an unsupported type, or the operations, their
 * options or the pages are invalid (422).
 * @returns the job as the API shows it
 */
export async function createJob(tx: Tx, origin: Origin, job: NewJob): Promise<JobRecord> {
  checkOperations(job);
  const [source] = await judgeSources(tx, origin, job, [
    { id: job.sourceObjectId, at: '/source_object_id' },
  ]);
  if (source!.problem) throw source!.problem;
  const [made] = await insertJobs(tx, origin, job, [source!.source]);
  return made!;
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
  const named = sourceObjectIds.map((id, index) => ({ id, at: `/source_object_ids/${index}` }));
  const judged = await judgeSources(tx, origin, jobs, named);
  const rejected = judged.flatMap(({ at, problem }) => (problem ? [{ at, problem }] : []));
  if (onError === 'abort' && rejected.length > 0) throw problemOfAll(rejected, named.length);
  for (const { problem } of rejected) {
    if (problem instanceof PolicyDenied) await recordDenied(tx, origin, problem.denial);
  }
  const sources = judged.flatMap(({ source, problem }) => (problem ? [] : [source]));
  const made = (await insertJobs(tx, origin, jobs, sources)).values();
  return judged.map(({ id: sourceObjectId, problem }) =>
    problem
      ? { sourceObjectId, job: null, problem }
      : { sourceObjectId, job: made.next().value!, problem: null },
  );
}

/** A request for one or more identical jobs. */
interface NewJobs extends JobRequest {
  metadata: Record<string, unknown>;
  /** Seals options that contain personal data. */
  seal: SealText;
  retryOf?: { jobId: string; scope: 'failed_pages' | 'all' };
  /** The reads of the sources, if they were sent early. */
  sources?: SourcesAhead | null;
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
  const planned = sources.map((source) => ({
    id: newId('job'),
    source,
    operations: planOperations(jobs.operations, source.mime),
  }));
  claimQuota(tx, origin.projectId, 'jobs_in_flight', planned.length);
  writeJobs(tx, origin, jobs, planned);
  await record(
    tx,
    origin,
    ...planned.map(
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
  for (const { id, operations } of planned) {
    await schedule(tx, origin.projectId, id, {
      kind: 'operation.open',
      payload: { job_id: id, operation_index: 0, op: operations[0]!.op },
    });
  }
  return planned.map(({ id, source, operations }) =>
    presentNewJob({
      ...{ id, retryOf },
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
  planned: readonly PlannedJob[],
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
  const rows = planned.map(({ id, source }) => [id, source.id]);
  const operations = planned.flatMap(({ id, source, operations }) =>
    operations.map((operation, index) => [
      id,
      index,
      operation.op,
      JSON.stringify(sealOptions(jobs, { projectId, sourceObjectId: source.id }, operation)),
      operation.implicit,
    ]),
  );
  // For a single job, arrays would cost as much again as the rows.
  if (planned.length === 1) {
    send(tx, insertJob, [...common, ...rows[0]!]);
    for (const operation of operations) {
      send(tx, insertOperation, [projectId, ...operation]);
    }
    return;
  }
  send(
    tx,
    `${intoJob} SELECT j.id, j.source, $1, $2, $3, $4, $5, $6
     FROM unnest($7::text[], $8::text[]) AS j (id, source)`,
    [...common, ...columnsOf(rows, 2)],
  );
  send(
    tx,
    `${intoOperation} SELECT $1, o.* FROM unnest(
       $2::text[], $3::integer[], $4::text[], $5::jsonb[], $6::boolean[]) AS o`,
    [projectId, ...columnsOf(operations, 5)],
  );
}

const intoJob = `INSERT INTO job
  (id, source_object_id, project_id, pages, metadata, origin, retry_of, retry_scope)`;
const intoOperation =
  'INSERT INTO job_operation (project_id, job_id, index, op, options, implicit)';
const insertJob = `${intoJob} VALUES ($7, $8, $1, $2, $3, $4, $5, $6)`;
const insertOperation = `${intoOperation} VALUES ($1, $2, $3, $4, $5, $6)`;
