import type { Database } from '../../db/database.ts';
import { createTally } from '../../db/tally.ts';
import type { Logger } from '../../logger.ts';
import { addEmbeddingUsage, type EmbeddingUsage } from './state.ts';

/** Counts the requests of searches to the embedding endpoint. */
export interface EmbeddingCounts {
  /** Adds a request. Does not wait. */
  add(projectId: string, tokens: number): void;
  /** Stores the counts. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Creates the counts of a process.
 * @param everyMs the interval at which they are stored; null stores only on `flush`
 */
export function createEmbeddingCounts(
  database: Database,
  logger: Logger,
  everyMs: number | null = 10_000,
): EmbeddingCounts {
  const tally = createTally<EmbeddingUsage>(database, logger, {
    name: 'embeddings',
    intervalMs: everyMs,
    merge: (first, second) => ({
      requests: first.requests + second.requests,
      tokens: first.tokens + second.tokens,
    }),
    store(tx, projectId, counts) {
      for (const count of counts) addEmbeddingUsage(tx, projectId, count);
    },
  });
  return {
    add: (projectId, tokens) => tally.add(projectId, '', { requests: 1, tokens }),
    flush: tally.flush,
  };
}
