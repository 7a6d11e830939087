import type { SearchMode, SearchWarning } from '@scriptorium/contracts/wire/library/passages';
import type { InTransaction } from '../../db/transaction.ts';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import { parseQuery } from '../images/search/query-language.ts';
import type { EmbeddingCounts } from './counts.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';
import type { QueryVector } from './nearest.ts';

/** A search does not wait longer for the endpoint. */
const timeoutMs = 1_000;

/** What a search compares with passages; null if only words are compared. */
export interface PreparedQuestion {
  wanted: QueryVector | null;
  warnings: SearchWarning[];
}

interface Question {
  projectId: string;
  q: string;
  mode: SearchMode | undefined;
}

/**
 * Computes the vector of a question, unless the search is lexical or the project has no vectors, for
 * example because its texts must not be embedded: then its questions are not sent either.
 */
export async function embedQuestion(
  { embedder, embeddingCounts }: { embedder: Embedder | null; embeddingCounts: EmbeddingCounts },
  inProject: InTransaction,
  { projectId, q, mode }: Question,
  signal: AbortSignal,
): Promise<PreparedQuestion> {
  const text = textOf(q);
  if (mode === 'lexical' || text === '') return onlyWords('lexical');
  const state =
    embedder && (await inProject((tx) => tx.findOneBy(ProjectEmbedding, { projectId })));
  if (!embedder || state?.model !== embedder.model || state.texts === 'none') {
    return onlyWords(mode);
  }
  try {
    const { vectors, tokens } = await embedder.embed([text], { timeoutMs, signal });
    embeddingCounts.add(projectId, tokens);
    return { wanted: { model: embedder.model, vector: vectors[0]! }, warnings: [] };
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    return { wanted: null, warnings: ['embeddings_unavailable'] };
  }
}

/** A search that compares words only, because the service has no endpoint or the project no vectors. */
export function onlyWords(mode: SearchMode | undefined): PreparedQuestion {
  return { wanted: null, warnings: mode === 'hybrid' ? ['embeddings_not_configured'] : [] };
}

/** The question without its excluded words. */
function textOf(q: string): string {
  const terms = (parseQuery(q) ?? []).flat().filter(({ not }) => !not);
  return terms.map(({ from, to }) => q.slice(from, to).replaceAll('"', '')).join(' ');
}
