import { newId } from '../contracts/ids.ts';
import type { JobOrigin } from '../contracts/jobs.ts';
import type { OperationName } from '../contracts/operations.ts';
import type { Origin } from '../contracts/origin.ts';
import { type Fault, invalid, Problem, referenceNotFound } from '../contracts/problems.ts';
import { pagedMimes } from '../contracts/sources.ts';
import type { JobRecord } from '../contracts/wire/jobs.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import { enforce } from '../policies/enforce.ts';
import { parsePages } from './page-ranges.ts';
import { presentNewJob } from './present.ts';

/** An operation as the client asked for it, its options complete with their defaults. */
interface RequestedOperation {
  op: OperationName;
  options: Record<string, unknown>;
}

export interface NewJob {
  sourceObjectId: string;
  operations: RequestedOperation[];
  /** "1-3,7", or null for all. */
  pages: string | null;
  metadata: Record<string, unknown>;
  retryOf?: { jobId: string; scope: 'failed_pages' | 'all' };
}

/**
 * Accepts a job: the job, its operations, its event and its first task, in the caller's transaction.
 * Throws a Problem when the source does not exist (422), a policy refuses (403), is not available (409) or is of a kind that
 * cannot be processed (422), and when the operations or pages make no sense (422).
 * @returns the job as the API shows it
 */
export async function createJob(tx: Tx, origin: Origin, job: NewJob): Promise<JobRecord> {
  checkOperations(job.operations);
  const source = await loadSource(tx, origin, job.sourceObjectId);
  checkPages(job.pages, source.pages);
  const id = newId('job');
  insertJob(tx, id, origin, job);
  await record(tx, origin, {
    type: 'documents.job.created',
    resourceId: id,
    data: {
      source_object_id: job.sourceObjectId,
      operations: job.operations.map(({ op }) => op),
      retry_of: job.retryOf?.jobId ?? null,
    },
  });
  await schedule(tx, origin.projectId, id, {
    kind: 'operation.open',
    payload: { job_id: id, operation_index: 0, op: job.operations[0]!.op },
  });
  return presentNewJob({
    ...job,
    id,
    projectId: origin.projectId,
    createdAt: source.now,
    retryOf: job.retryOf?.jobId ?? null,
  });
}

function checkOperations(requested: RequestedOperation[]): void {
  const faults: Fault[] = [];
  for (const [at, { op }] of requested.entries()) {
    if (requested.findIndex((other) => other.op === op) < at) {
      const detail = `'${op}' appears more than once; each operation may appear once.`;
      faults.push({ pointer: `/operations/${at}/op`, code: 'duplicate_operation', detail });
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

interface Source {
  state: string;
  mime: string;
  pages: number | null;
  /** When the transaction began: what `now()` gives all the rows it writes. */
  now: Date;
}

async function loadSource(tx: Tx, origin: Origin, objectId: string): Promise<Source> {
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
  if (!pagedMimes.some((mime) => mime === object.mime)) {
    throw invalid([
      {
        pointer: '/source_object_id',
        code: 'unsupported_source',
        detail: `An object of type ${object.mime} cannot be processed.`,
        allowed: pagedMimes,
      },
    ]);
  }
  return object;
}

function checkPages(selection: string | null, total: number | null): void {
  if (selection === null) return;
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

function insertJob(tx: Tx, id: string, origin: Origin, job: NewJob): void {
  const { actor, address, requestId } = origin;
  const jobOrigin: JobOrigin = { actor, address, requestId };
  send(
    tx,
    `WITH job AS (
       INSERT INTO job (id, project_id, source_object_id, pages, metadata, origin, retry_of, retry_scope)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       RETURNING id, project_id)
     INSERT INTO job_operation (project_id, job_id, index, op, options)
     SELECT job.project_id, job.id, o.index - 1, o.op, o.options
     FROM job, unnest($9::text[], $10::jsonb[]) WITH ORDINALITY AS o (op, options, index)`,
    [
      id,
      origin.projectId,
      job.sourceObjectId,
      job.pages,
      JSON.stringify(job.metadata),
      JSON.stringify(jobOrigin),
      job.retryOf?.jobId ?? null,
      job.retryOf?.scope ?? null,
      job.operations.map(({ op }) => op),
      job.operations.map(({ options }) => JSON.stringify(options)),
    ],
  );
}
