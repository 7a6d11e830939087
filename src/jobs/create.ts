import type { NewEvent } from '../contracts/events.ts';
import { newId } from '../contracts/ids.ts';
import type { JobOrigin } from '../contracts/jobs.ts';
import type { OperationName } from '../contracts/operations.ts';
import type { Origin } from '../contracts/origin.ts';
import { Problem } from '../contracts/problems.ts';
import type { SealText } from '../contracts/sealed.ts';
import type { JobRecord } from '../contracts/wire/jobs.ts';
import { columnsOf, prepared, send, type Tx } from '../db/transaction.ts';
import { insertion } from '../db/wire/merge.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import type { Policy } from '../policies/decision/decide.ts';
import { PolicyDenied, recordRefusal } from '../policies/denials.ts';
import { enforceEach } from '../policies/enforce.ts';
import { claimQuota } from '../policies/quotas.ts';
import { loadPolicies } from '../policies/store.ts';
import {
  checkOperations,
  isPaged,
  type JobRequest,
  type NamedSource,
  type RequestedOperation,
  type Source,
  sourceProblem,
} from './check.ts';
import { completeOptions } from './options.ts';
import { presentNewJob } from './present.ts';
import { sealOptions, withoutSecrets } from './secret-options.ts';

/** What one or several jobs have in common. */
interface NewJobs extends JobRequest {
  metadata: Record<string, unknown>;
  /** Seals what options say of personal data. */
  seal: SealText;
  retryOf?: { jobId: string; scope: 'failed_pages' | 'all' };
  /** What was asked for of the sources before anything else was known. */
  sources?: SourcesAhead | null;
}

export interface NewJob extends NewJobs {
  sourceObjectId: string;
}

/** What became of one source of a batch. */
export type BatchOutcome =
  | { sourceObjectId: string; job: JobRecord; problem: null }
  | { sourceObjectId: string; job: null; problem: Problem };

/**
 * Accepts a job: the job, its operations, its event and its first task, in the caller's transaction.
 * Throws a Problem when a policy refuses the source or an option needs a scope (403), when the source
 * is not available (409), and when it does not exist, is of a kind that an operation cannot read, or
 * the operations, their options or the pages make no sense (422).
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
 * Accepts a job for each of several sources, all alike: with `abort` for all of them or none, with
 * `continue` for those of which one can be made.
 * @returns what became of each, in their order
 * @throws Problem as `createJob` does; of sources only with `abort`, with a fault for each
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
  const refused = judged.flatMap(({ at, problem }) => (problem ? [{ at, problem }] : []));
  if (onError === 'abort' && refused.length > 0) throw refusalOfAll(refused, named.length);
  for (const { problem } of refused) {
    if (problem instanceof PolicyDenied) await recordRefusal(tx, origin, problem.denial);
  }
  const sources = judged.flatMap(({ source, problem }) => (problem ? [] : [source]));
  const made = (await insertJobs(tx, origin, jobs, sources)).values();
  return judged.map(({ id: sourceObjectId, problem }) =>
    problem
      ? { sourceObjectId, job: null, problem }
      : { sourceObjectId, job: made.next().value!, problem: null },
  );
}

type Judged = NamedSource &
  ({ source: FoundSource; problem: null } | { source: null; problem: Problem });

export interface FoundSource extends Source {
  /** When the transaction began: what `now()` gives all the rows it writes. */
  now: Date;
}

/** What it takes to tell whether jobs can be made on sources. */
export type SourcesAhead = { found: Promise<FoundSource[]>; policies: Promise<Policy[]> };

/** Asks for sources, and for the policies that speak about processing, without waiting. */
export function askForSources(
  tx: Tx,
  projectId: string,
  objectIds: readonly string[],
): SourcesAhead {
  return {
    found: prepared<FoundSource>(
      tx,
      'SELECT id, state, mime, pages, now() FROM object WHERE project_id = $1 AND id = ANY($2)',
      [projectId, objectIds],
    ),
    policies: loadPolicies(tx, projectId, 'process'),
  };
}

/** Whether a job can be made on each of these sources, whatever their number in three queries. */
async function judgeSources(
  tx: Tx,
  origin: Origin,
  { sources, ...request }: NewJobs,
  named: readonly NamedSource[],
): Promise<Judged[]> {
  const ids = named.map(({ id }) => id);
  const asked = sources ?? askForSources(tx, origin.projectId, ids);
  const [found, policies] = await Promise.all([asked.found, asked.policies]);
  const byId = new Map(found.map((source) => [source.id, source]));
  const denied = await enforceEach(tx, origin, 'process', [...byId.keys()], policies);
  return named.map((one): Judged => {
    const source = byId.get(one.id);
    const problem = sourceProblem(request, one, source, denied.get(one.id));
    // Of a source that is not there nothing else is said.
    return problem || !source
      ? { ...one, source: null, problem: problem! }
      : { ...one, source, problem: null };
  });
}

/** One problem for a batch of which nothing is made: what the gravest says is to be done. */
function refusalOfAll(
  refused: readonly { at: string; problem: Problem }[],
  total: number,
): Problem {
  const errors = refused.map(({ at, problem: { code, message, errors: [fault] = [] } }) => ({
    ...(fault ?? { code, detail: message }),
    pointer: at,
  }));
  const codes = [
    'reference_not_found',
    'validation_failed',
    'pages_out_of_range',
    'policy_denied',
    'state_conflict',
  ];
  const [gravest] = refused.toSorted(
    (a, b) => codes.indexOf(a.problem.code) - codes.indexOf(b.problem.code),
  );
  const { problem } = gravest!;
  if (problem instanceof PolicyDenied) return new PolicyDenied(problem.denial, errors);
  const detail =
    refused.length === 1
      ? problem.message
      : `${refused.length} of ${total} objects cannot be processed so; no job was made.`;
  return new Problem(problem.code, detail, { errors });
}

/** An operation of a job; one that is implicit was put before those that were asked for. */
interface PlannedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  implicit: boolean;
}

/** Puts `ocr` before all else where pages are to be read first. */
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
  // To go through arrays costs as much again as the rows of one job.
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
const insertJob = insertion(`${intoJob} VALUES ($7, $8, $1, $2, $3, $4, $5, $6)`);
const insertOperation = insertion(`${intoOperation} VALUES ($1, $2, $3, $4, $5, $6)`);
