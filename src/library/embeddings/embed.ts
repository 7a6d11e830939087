import type { EmbeddedTexts } from '@scriptorium/contracts/embeddings';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';
import {
  findPlainPassages,
  type PlainPassage,
  removeWithheldVectors,
  storeVectors,
} from './queries.ts';
import {
  addEmbeddingUsage,
  enterModel,
  isWalkWaiting,
  lockState,
  recordOutcome,
  walkTask,
} from './state.ts';

/** The number of texts in a request. Common servers accept at least as many. */
const batchSize = 32;
const requestTimeoutMs = 30_000;
/** After this time, other tasks get a turn. */
const runMs = 20_000;
/** The pause after the first failure in a row; each further one doubles it. */
const firstPauseSeconds = 30;
const maxPauseSeconds = 600;

type EmbedRun = TaskRun<'passages.embed'>;

export interface EmbedDeps {
  /** Null without an endpoint. */
  embedder: Embedder | null;
}

/**
 * Computes the vectors of passages without one, batch by batch: those of an object, or all of the
 * project, whose withheld vectors are removed first. If the endpoint fails, a walk through the project
 * tries again after a pause, as often as necessary.
 */
export async function embedPassages({ embedder }: EmbedDeps, run: EmbedRun): Promise<void> {
  const { projectId, payload } = run.task;
  const isStart = payload.object_id === undefined && payload.after === undefined;
  const texts = await run.inProject(async (tx) => {
    const found = embedder
      ? await enterModel(tx, projectId, embedder.model)
      : ((await tx.findOneBy(ProjectEmbedding, { projectId }))?.texts ?? 'none');
    if (isStart) await removeWithheldVectors(tx, { projectId, texts: found });
    return found;
  });
  if (!embedder || texts === 'none') return run.end();
  try {
    const after = await embedBatches(embedder, run, texts);
    await run.finish(
      async () => undefined,
      async (tx) => {
        recordOutcome(tx, projectId, null);
        if (after === null) return;
        const { object_id } = payload;
        if (object_id === undefined) await schedule(tx, projectId, projectId, walkTask({ after }));
        else await schedule(tx, projectId, object_id, { kind: 'passages.embed', payload });
      },
    );
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    await retryLater(run, error);
  }
}

/** Returns the object to continue with, or null if all passages have a vector. */
async function embedBatches(
  embedder: Embedder,
  run: EmbedRun,
  texts: EmbeddedTexts,
): Promise<string | null> {
  const { projectId, payload } = run.task;
  const scope = { projectId, texts };
  const end = performance.now() + runMs;
  let after = payload.after ?? '';
  for (;;) {
    run.signal.throwIfAborted();
    const from = { objectId: payload.object_id, after };
    const passages = await run.inProject((tx) => findPlainPassages(tx, scope, from, batchSize));
    if (passages.length === 0) return null;
    const usage = { requests: 0, tokens: 0 };
    const vectors = await embedAll(embedder, passages, usage, run.signal);
    await run.inProject(async (tx) => {
      addEmbeddingUsage(tx, projectId, usage);
      const { model, texts: allowed } = await lockState(tx, projectId);
      // Another worker may have changed the model.
      if (model === embedder.model) {
        await storeVectors(tx, { projectId, texts: allowed }, passages, vectors);
      }
    });
    after = passages.at(-1)!.objectId;
    if (performance.now() > end) return after;
  }
}

/**
 * The vectors of passages; null for a text that the endpoint rejects, such as one that is too long
 * for the model.
 */
async function embedAll(
  embedder: Embedder,
  passages: readonly PlainPassage[],
  usage: { requests: number; tokens: number },
  signal: AbortSignal,
): Promise<(number[] | null)[]> {
  const embed = async (texts: readonly string[]): Promise<number[][]> => {
    const { vectors, tokens } = await embedder.embed(texts, {
      timeoutMs: requestTimeoutMs,
      signal,
    });
    usage.requests += 1;
    usage.tokens += tokens;
    return vectors;
  };
  try {
    return await embed(passages.map(textOf));
  } catch (error) {
    if (!(error instanceof EmbeddingError) || error.code !== 'rejected') throw error;
    if (passages.length === 1) {
      // An endpoint that rejects every text is not set up correctly.
      await embed(['text']);
      return [null];
    }
    const half = passages.length >> 1;
    return [
      ...(await embedAll(embedder, passages.slice(0, half), usage, signal)),
      ...(await embedAll(embedder, passages.slice(half), usage, signal)),
    ];
  }
}

/** A passage with its headings, which often name what it is about. */
function textOf({ headings, text }: PlainPassage): string {
  return [...headings, text].join('\n');
}

async function retryLater(run: EmbedRun, error: EmbeddingError): Promise<void> {
  const { projectId, taskId, payload } = run.task;
  const failures = payload.failures ?? 0;
  const pause = Math.min(maxPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures, 10));
  const seconds = Math.max(pause, error.retryAfterSeconds ?? 0);
  run.log.warn({ code: error.code, seconds }, 'the embedding endpoint failed; trying again later');
  await run.finish(
    async () => undefined,
    async (tx) => {
      recordOutcome(tx, projectId, error.code);
      if (await isWalkWaiting(tx, projectId, taskId)) return;
      const { after } = payload;
      const next = { ...(after === undefined ? {} : { after }), failures: failures + 1 };
      await schedule(tx, projectId, projectId, walkTask(next, seconds));
    },
  );
}

/** The task crashed too often; the hourly upkeep schedules another walk. */
export const giveUpEmbedding = (run: EmbedRun): Promise<void> => run.end();
