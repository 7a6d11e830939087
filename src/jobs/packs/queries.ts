import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import type { RequestedOperation } from '../creating/check.ts';

/** How many documents of a pack are in each state. */
export interface PackCounts {
  total: number;
  succeeded: number;
  failed: number;
  withheld: number;
  open: number;
}

/** The pack's counts, including the effects of statements sent before. */
export async function countDocuments(tx: Tx, { projectId, id }: Pack): Promise<PackCounts> {
  const [counts] = await prepared<PackCounts>(
    tx,
    `SELECT documents_total AS total, documents_completed AS succeeded, documents_failed AS failed,
       documents_withheld AS withheld, documents_open AS open
     FROM pack WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return counts!;
}

/** The jobs of a pack that have not ended. */
interface RunningJobs {
  /** Jobs in progress. */
  jobs: number;
  /** Jobs that wait for a person, which do not count towards the maximum. */
  waiting: number;
  /** The time since the last job was started or a document ended. */
  seconds: number;
}

export async function readRunningJobs(tx: Tx, { projectId, id }: Pack): Promise<RunningJobs> {
  const [row] = await prepared<RunningJobs>(
    tx,
    `SELECT count(*) FILTER (WHERE j.state <> 'awaiting_review')::integer AS jobs,
       count(*) FILTER (WHERE j.state = 'awaiting_review')::integer AS waiting,
       extract(epoch FROM now() - greatest(max(j.created_at), (
         SELECT max(e.finished_at) FROM pack_document e
         WHERE e.project_id = $1 AND e.pack_id = $2)))::double precision AS seconds
     FROM pack_document d
     JOIN job j ON j.project_id = d.project_id AND j.id = d.job_id
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.state = 'running'
       AND j.finished_at IS NULL`,
    [projectId, id],
  );
  return row!;
}

/** Sends the statement that stores the outcomes of jobs that have ended with their documents. */
export function collectOutcomes(tx: Tx, { projectId, id }: Pack): void {
  send(
    tx,
    `WITH ended AS (
       SELECT d.position, j.state, j.error, n.result, n.pages_total,
         (r.result->>'verified')::boolean AS verified,
         CASE WHEN r.result IS NOT NULL THEN r.result->>'reviewed' IS NOT NULL END AS reviewed
       FROM pack_document d
       LEFT JOIN job j ON j.project_id = d.project_id AND j.id = d.job_id
       LEFT JOIN job_operation n ON n.project_id = d.project_id AND n.job_id = d.job_id
         AND n.op = 'normalize_for_llm'
       LEFT JOIN job_operation r ON r.project_id = d.project_id AND r.job_id = d.job_id
         AND r.op = 'redact_pii'
       WHERE d.project_id = $1 AND d.pack_id = $2 AND d.state = 'running'
         AND (j.id IS NULL OR j.finished_at IS NOT NULL))
     UPDATE pack_document d SET
       state = CASE WHEN e.state IN ('succeeded', 'partially_succeeded') THEN 'succeeded'
         WHEN e.error->>'code' = 'policy_denied' THEN 'withheld' ELSE 'failed' END,
       error = CASE WHEN e.state = 'succeeded' THEN NULL ELSE coalesce(e.error, jsonb_build_object(
         'code', 'job_cancelled', 'message', 'The job of the document was cancelled.', 'retryable', true)) END,
       pages = coalesce(e.pages_total, d.pages), verified = e.verified,
       reviewed = e.reviewed,
       chunks = (e.result->>'chunks')::integer, tokens = (e.result->>'tokens')::integer,
       finished_at = now()
     FROM ended e WHERE d.project_id = $1 AND d.pack_id = $2 AND d.position = e.position`,
    [projectId, id],
  );
}

/** A document that has not been started, and the earlier job whose outputs it can use, if any. */
export interface PendingDocument {
  position: number;
  objectId: string;
  state: string | null;
  reusable: string | null;
}

/** The kinds of outputs from which a pack is made. */
const textKinds = ['markdown', 'json', 'chunks'];

/**
 * The next documents to start. A job is reused if it had the same bytes and operations, all of its
 * outputs exist, and another attempt would change nothing.
 */
export async function readPendingDocuments(
  tx: Tx,
  { projectId, id, options }: Pack,
  operations: readonly RequestedOperation[],
  limit: number,
): Promise<PendingDocument[]> {
  const operationList = JSON.stringify(
    operations.map((operation) => [operation.op, operation.options]),
  );
  // A redaction is a file of one of two kinds.
  const kinds =
    options.redact === null ? textKinds : [...textKinds, 'redacted_pdf', 'redacted_file'];
  return prepared<PendingDocument>(
    tx,
    `SELECT d.position, d.object_id AS "objectId", source.state,
       (SELECT j.id FROM object o
        JOIN job j ON j.project_id = o.project_id AND j.source_object_id = o.id
        WHERE o.project_id = $1 AND o.sha256 = d.sha256 AND o.mime = d.mime AND j.pages IS NULL
          AND (j.state = 'succeeded'
            OR j.state = 'partially_succeeded' AND j.error->>'retryable' = 'false')
          AND (SELECT jsonb_agg(jsonb_build_array(p.op, p.options) ORDER BY p.index)
            FROM job_operation p WHERE p.project_id = $1 AND p.job_id = j.id AND NOT p.implicit) = $3
          AND (SELECT count(*) FROM job_output u
            JOIN object made ON made.project_id = $1 AND made.id = u.object_id
            WHERE u.project_id = $1 AND u.job_id = j.id AND made.state = 'available'
              AND u.kind = ANY($5)) = $6
        ORDER BY j.id DESC LIMIT 1) AS reusable
     FROM pack_document d
     LEFT JOIN object source ON source.project_id = $1 AND source.id = d.object_id
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.state = 'pending'
     ORDER BY d.position LIMIT $4`,
    [
      projectId,
      id,
      operationList,
      limit,
      kinds,
      textKinds.length + (options.redact === null ? 0 : 1),
    ],
  );
}

/** Sends that documents are running as jobs. Those of reused jobs are collected in the next run. */
export function startDocuments(
  tx: Tx,
  { projectId, id }: Pack,
  started: readonly { position: number; jobId: string; reused: boolean }[],
): void {
  if (started.length === 0) return;
  send(
    tx,
    `UPDATE pack_document d SET state = 'running', job_id = s.job_id, reused = s.reused
     FROM unnest($3::integer[], $4::text[], $5::boolean[]) AS s (position, job_id, reused)
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.position = s.position`,
    [
      projectId,
      id,
      started.map(({ position }) => position),
      started.map(({ jobId }) => jobId),
      started.map(({ reused }) => reused),
    ],
  );
}

/** A document that is left out, and the reason. */
export interface LeftOutDocument {
  position: number;
  state: 'failed' | 'withheld';
  error: { code: string; message: string; retryable: boolean };
}

/** Sends that documents are left out, with the reasons. */
export function leaveOutDocuments(
  tx: Tx,
  { projectId, id }: Pack,
  documents: readonly LeftOutDocument[],
): void {
  if (documents.length === 0) return;
  send(
    tx,
    `UPDATE pack_document d SET state = l.state, error = l.error, finished_at = now()
     FROM unnest($3::integer[], $4::text[], $5::jsonb[]) AS l (position, state, error)
     WHERE d.project_id = $1 AND d.pack_id = $2 AND d.position = l.position`,
    [
      projectId,
      id,
      documents.map(({ position }) => position),
      documents.map(({ state }) => state),
      documents.map(({ error }) => JSON.stringify(error)),
    ],
  );
}
