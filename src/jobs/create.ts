import { newId } from '../contracts/ids.ts';
import type { JobOrigin } from '../contracts/jobs.ts';
import { type OperationName, type OperationOptions, operations } from '../contracts/operations.ts';
import type { Origin } from '../contracts/origin.ts';
import { type Fault, invalid, Problem, referenceNotFound } from '../contracts/problems.ts';
import { pagedMimes, sourceMimes } from '../contracts/sources.ts';
import type { JobRecord } from '../contracts/wire/jobs.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import { enforce } from '../policies/enforce.ts';
import { completeOptions, redactionFaults } from './options.ts';
import { parsePages } from './page-ranges.ts';
import { presentNewJob } from './present.ts';

/** An operation as the client asked for it, its options complete with their defaults. */
export interface RequestedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  /** Where the options stand in the body, as a pointer; empty for the body itself. */
  at?: string;
}

export interface NewJob {
  sourceObjectId: string;
  operations: RequestedOperation[];
  /** Whether whoever asks may read personal values. */
  mayReadPii: boolean;
  /** "1-3,7", or null for all. */
  pages: string | null;
  metadata: Record<string, unknown>;
  retryOf?: { jobId: string; scope: 'failed_pages' | 'all' };
}

/**
 * Accepts a job: the job, its operations, its event and its first task, in the caller's transaction.
 * Throws a Problem when a policy refuses the source or an option needs a scope (403), when the source
 * is not available (409), and when it does not exist, is of a kind that an operation cannot read, or
 * the operations, their options or the pages make no sense (422).
 * @returns the job as the API shows it
 */
export async function createJob(tx: Tx, origin: Origin, job: NewJob): Promise<JobRecord> {
  checkOperations(job);
  const source = await loadSource(tx, origin, job);
  checkPages(job.pages, source);
  const planned = planOperations(job.operations, source.mime);
  const id = newId('job');
  insertJob(tx, id, origin, job, planned);
  await record(tx, origin, {
    type: 'documents.job.created',
    resourceId: id,
    data: {
      source_object_id: job.sourceObjectId,
      operations: planned.map(({ op }) => op),
      retry_of: job.retryOf?.jobId ?? null,
    },
  });
  await schedule(tx, origin.projectId, id, {
    kind: 'operation.open',
    payload: { job_id: id, operation_index: 0, op: planned[0]!.op },
  });
  return presentNewJob({
    ...job,
    operations: planned,
    id,
    projectId: origin.projectId,
    createdAt: source.now,
    retryOf: job.retryOf?.jobId ?? null,
  });
}

function checkOperations({ operations: requested, mayReadPii }: NewJob): void {
  const faults: Fault[] = [];
  for (const [index, { op, options, at = '' }] of requested.entries()) {
    if (requested.findIndex((other) => other.op === op) < index) {
      const detail = `'${op}' appears more than once; each operation may appear once.`;
      faults.push({ pointer: `/operations/${index}/op`, code: 'duplicate_operation', detail });
    }
    if (op === 'redact_pii') {
      if (options.keep_unredacted === true && !mayReadPii) throw unredactedRefused();
      // They were checked against the operation's schema, and are complete.
      faults.push(...redactionFaults(options as OperationOptions<'redact_pii'>, at));
    }
  }
  if (faults.length > 0) throw invalid(faults);
  const ocrAt = requested.findIndex(({ op }) => op === 'ocr');
  if (ocrAt > 0) {
    const detail = `'ocr' must come first; here it is number ${ocrAt + 1}.`;
    throw new Problem('operation_order_invalid', detail, {
      errors: [{ pointer: `/operations/${ocrAt}/op`, code: 'operation_order_invalid', detail }],
    });
  }
}

function unredactedRefused(): Problem {
  return new Problem(
    'insufficient_scope',
    `The API key needs the scope pii:read for 'keep_unredacted'.`,
    { extra: { required_scopes: ['documents:write', 'pii:read'] } },
  );
}

/** An operation of a job; one that is implicit was put before those that were asked for. */
export interface PlannedOperation {
  op: OperationName;
  options: Record<string, unknown>;
  implicit: boolean;
}

/** Puts `ocr` before all else where pages are to be read first. */
function planOperations(requested: RequestedOperation[], mime: string): PlannedOperation[] {
  const planned = requested.map(({ op, options }) => ({ op, options, implicit: false }));
  if (!isPaged(mime) || planned[0]!.op === 'ocr') return planned;
  return [{ op: 'ocr', options: completeOptions('ocr', {}), implicit: true }, ...planned];
}

function isPaged(mime: string): boolean {
  return pagedMimes.some((paged) => paged === mime);
}

interface Source {
  state: string;
  mime: string;
  pages: number | null;
  /** When the transaction began: what `now()` gives all the rows it writes. */
  now: Date;
}

async function loadSource(tx: Tx, origin: Origin, job: NewJob): Promise<Source> {
  const objectId = job.sourceObjectId;
  const [object] = await prepared<Source>(
    tx,
    'SELECT state, mime, pages, now() FROM object WHERE project_id = $1 AND id = $2',
    [origin.projectId, objectId],
  );
  if (!object) throw referenceNotFound('/source_object_id', objectId);
  await enforce(tx, origin, { action: 'process', objectId });
  if (object.state !== 'available') {
    throw new Problem(
      'state_conflict',
      `The object '${objectId}' is ${object.state}; a job needs one that is available.`,
    );
  }
  const readable = sourceMimes.filter((mime) =>
    job.operations.every(({ op }) => operations[op].sources.some((known) => known === mime)),
  );
  if (!readable.some((mime) => mime === object.mime)) {
    throw invalid([
      {
        pointer: '/source_object_id',
        code: 'unsupported_source',
        detail: `An object of type ${object.mime} cannot be processed so.`,
        allowed: readable,
      },
    ]);
  }
  return object;
}

function checkPages(selection: string | null, { mime, pages: total }: Source): void {
  if (selection === null) return;
  if (!isPaged(mime)) {
    throw invalid([
      {
        pointer: '/pages',
        code: 'pages_not_applicable',
        detail: `An object of type ${mime} has no pages to choose from.`,
      },
    ]);
  }
  const ranges = parsePages(selection);
  if (!ranges) {
    throw invalid([
      {
        pointer: '/pages',
        code: 'invalid_pages',
        detail: `'${selection}' does not name pages: ranges ascend and end at the last page allowed.`,
      },
    ]);
  }
  if (total !== null && ranges[0]!.from > total) {
    throw invalid([
      {
        pointer: '/pages',
        code: 'pages_out_of_range',
        detail: `'${selection}' names none of the document's ${total} pages.`,
      },
    ]);
  }
}

function insertJob(
  tx: Tx,
  id: string,
  origin: Origin,
  job: NewJob,
  planned: PlannedOperation[],
): void {
  const { actor, address, requestId } = origin;
  const jobOrigin: JobOrigin = { actor, address, requestId };
  send(
    tx,
    `WITH job AS (
       INSERT INTO job (id, project_id, source_object_id, pages, metadata, origin, retry_of, retry_scope)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       RETURNING id, project_id)
     INSERT INTO job_operation (project_id, job_id, index, op, options, implicit)
     SELECT job.project_id, job.id, o.index - 1, o.op, o.options, o.implicit
     FROM job, unnest($9::text[], $10::jsonb[], $11::boolean[])
       WITH ORDINALITY AS o (op, options, implicit, index)`,
    [
      id,
      origin.projectId,
      job.sourceObjectId,
      job.pages,
      JSON.stringify(job.metadata),
      JSON.stringify(jobOrigin),
      job.retryOf?.jobId ?? null,
      job.retryOf?.scope ?? null,
      planned.map(({ op }) => op),
      planned.map(({ options }) => JSON.stringify(options)),
      planned.map(({ implicit }) => implicit),
    ],
  );
}
