import type { EmbeddedTexts, EmbeddingFailure } from '@scriptorium/contracts/embeddings';
import type { Database } from '../../db/database.ts';
import { sendDelete, sendUpdate } from '../../db/statements/rows.ts';
import { inTransaction, prepared, send, type Tx } from '../../db/transaction.ts';
import { EmbeddingEndpoint } from '../../entities/embeddings/embedding-endpoint.ts';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Records which model the workers use; null if they have no endpoint. */
export async function announceModel(database: Database, model: string | null): Promise<void> {
  await inTransaction(database, async (tx) => {
    if (model === null) sendDelete(tx, EmbeddingEndpoint, { id: true });
    else await tx.upsert(EmbeddingEndpoint, { id: true, model }, ['id']);
  });
}

/** Schedules the embedding of an object's new passages, if the workers have an endpoint. */
export async function scheduleEmbedding(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<void> {
  if (!(await tx.existsBy(EmbeddingEndpoint, { id: true }))) return;
  await schedule(tx, projectId, objectId, {
    kind: 'passages.embed',
    payload: { object_id: objectId },
  });
}

/**
 * Schedules the embedding of all passages without a vector, and the removal of vectors that the project
 * may no longer have; nothing if it has no vectors and the workers no endpoint.
 */
export async function scheduleWalk(tx: Tx, projectId: string): Promise<void> {
  const [row] = await prepared<{ wanted: boolean }>(
    tx,
    `SELECT EXISTS (SELECT FROM embedding_endpoint)
       OR EXISTS (SELECT FROM project_embedding WHERE project_id = $1 AND model IS NOT NULL) AS wanted`,
    [projectId],
  );
  if (row!.wanted) await schedule(tx, projectId, projectId, walkTask());
}

/** As `scheduleWalk`, unless a walk is already waiting. */
export async function scheduleWalkOnce(tx: Tx, projectId: string): Promise<void> {
  if (!(await isWalkWaiting(tx, projectId, ''))) await scheduleWalk(tx, projectId);
}

export const walkTask = (
  payload: { after?: string; failures?: number } = {},
  dueInSeconds = 0,
) => ({
  kind: 'passages.embed' as const,
  payload,
  dueInSeconds,
});

/** Whether a task other than `taskId` walks through all passages of the project. */
export async function isWalkWaiting(tx: Tx, projectId: string, taskId: string): Promise<boolean> {
  const [row] = await prepared<{ waiting: boolean }>(
    tx,
    `SELECT EXISTS (SELECT FROM task WHERE project_id = $1 AND resource_id = $1
       AND kind = 'passages.embed' AND id <> $2) AS waiting`,
    [projectId, taskId],
  );
  return row!.waiting;
}

/**
 * Locks the state of the project, and makes `model` that of its vectors: those of another model are
 * deleted, because they cannot be compared.
 */
export async function enterModel(tx: Tx, projectId: string, model: string): Promise<EmbeddedTexts> {
  const state = await lockState(tx, projectId);
  if (state.model !== model) {
    send(tx, 'DELETE FROM passage_embedding WHERE project_id = $1', [projectId]);
    sendUpdate(tx, ProjectEmbedding, { projectId }, { model });
  }
  return state.texts;
}

/** The state of the project, locked against other changes. */
export async function lockState(tx: Tx, projectId: string): Promise<ProjectEmbedding> {
  send(tx, 'INSERT INTO project_embedding (project_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    projectId,
  ]);
  return tx.findOneOrFail(ProjectEmbedding, {
    where: { projectId },
    lock: { mode: 'pessimistic_write' },
  });
}

/** Records that the endpoint failed for the project, or that it works again. */
export function recordOutcome(tx: Tx, projectId: string, failure: EmbeddingFailure | null): void {
  send(
    tx,
    `UPDATE project_embedding SET failure = $2::text,
       failing_since = CASE WHEN $2::text IS NOT NULL THEN coalesce(failing_since, now()) END
     WHERE project_id = $1 AND (failure IS NOT NULL OR $2::text IS NOT NULL)`,
    [projectId, failure],
  );
}

/** Adds requests to the endpoint to the usage of the day. */
export function addEmbeddingUsage(
  tx: Tx,
  projectId: string,
  { requests, tokens }: EmbeddingUsage,
): void {
  send(tx, 'SELECT usage_embed($1, $2, $3)', [projectId, requests, tokens]);
}

export interface EmbeddingUsage {
  requests: number;
  tokens: number;
}
