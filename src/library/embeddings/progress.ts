import type { EmbeddingsRecord } from '@scriptorium/contracts/wire/projects';
import { query, type Tx } from '../../db/transaction.ts';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import type { Embedder } from './embedder.ts';

/** How many passages of a project have a vector. */
interface EmbeddingProgress {
  project: ProjectEmbedding | null;
  total: number;
  embedded: number;
  rejected: number;
  isRunning: boolean;
}

/** Counts the passages and vectors of a project. */
export async function readProgress(tx: Tx, projectId: string): Promise<EmbeddingProgress> {
  const [project, [row]] = await Promise.all([
    tx.findOneBy(ProjectEmbedding, { projectId }),
    query<Omit<EmbeddingProgress, 'project'>>(
      tx,
      `SELECT (SELECT count(*)::integer FROM passage WHERE project_id = $1) AS total,
         count(bits)::integer AS embedded, (count(*) - count(bits))::integer AS rejected,
         EXISTS (SELECT FROM task WHERE project_id = $1 AND kind = 'passages.embed') AS "isRunning"
       FROM passage_embedding WHERE project_id = $1`,
      [projectId],
    ),
  ]);
  return { project, ...row! };
}

/** The progress as the API shows it. */
export function presentEmbeddings(
  embedder: Embedder | null,
  { project, total, embedded, rejected, isRunning }: EmbeddingProgress,
): EmbeddingsRecord {
  const failure =
    project?.failure && project.failingSince
      ? { code: project.failure, since: project.failingSince.toISOString() }
      : null;
  return {
    state: stateOf(embedder, project, isRunning),
    model: embedder?.model ?? null,
    passages: { total, embedded, rejected },
    failure,
  };
}

function stateOf(
  embedder: Embedder | null,
  project: ProjectEmbedding | null,
  isRunning: boolean,
): EmbeddingsRecord['state'] {
  if (!embedder) return 'not_configured';
  if (project?.texts === 'none') return 'disabled';
  if (project?.failure) return 'failing';
  return isRunning ? 'running' : 'complete';
}
