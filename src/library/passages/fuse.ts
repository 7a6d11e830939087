import type { RankedPassage } from './queries.ts';

/**
 * The weight of meaning, of words 1. Chosen so that a weak model does not rank worse than words alone:
 * see docs/decisions/vectors-in-postgres.md.
 */
const meaningWeight = 0.4;

/**
 * Merges the rankings by words and by meaning, best first: the weighted sum of their scores, each
 * relative to the best of its ranking, and of meanings also to the last. A passage that is first in
 * both has a score of 1.
 */
export function fuseRankings(
  byWords: readonly RankedPassage[],
  byMeaning: readonly RankedPassage[],
  limit: number,
): RankedPassage[] {
  const fused = new Map<string, RankedPassage>();
  const add = (passage: RankedPassage, score: number): void => {
    const { objectId, redacted, page, position } = passage;
    const key = `${objectId}/${redacted}/${page}/${position}`;
    const sum = (fused.get(key)?.score ?? 0) + score / (1 + meaningWeight);
    fused.set(key, { ...passage, score: sum });
  };
  const best = byWords[0]?.score ?? 0;
  for (const passage of byWords) add(passage, best > 0 ? passage.score / best : 1);
  const nearest = byMeaning[0]?.score ?? 0;
  const farthest = byMeaning.at(-1)?.score ?? 0;
  const range = nearest - farthest;
  for (const passage of byMeaning) {
    add(passage, meaningWeight * (range > 0 ? (passage.score - farthest) / range : 1));
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map((passage) => ({ ...passage, score: Math.round(passage.score * 10_000) / 10_000 }));
}
