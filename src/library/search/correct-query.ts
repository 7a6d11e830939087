import { query, send, type Tx } from '../../db/transaction.ts';
import { foldWord } from '../images/search/highlight.ts';
import { parseQuery, type SearchTerm } from '../images/search/query-language.ts';

/** A search with more results is not corrected. */
export const maxResultsToCorrect = 2;

/** Shorter words are not corrected: they are similar to too many others. */
const minWordLength = 4;
/** From this length, two letters may be wrong; below it, only one. */
const minLengthForTwoErrors = 6;
/** The number of words of the project that are compared, and of the nearest ones that are tried. */
const maxWordsCompared = 500;
const maxWordsTried = 5;
/** The maximum number of matches counted for a word. */
const maxMatchesCounted = 1_000;

/**
 * What a search covers, as the parts of statements after FROM. `values` receives the values of
 * their placeholders.
 */
export interface Corpus {
  /** The results for a query, with all filters. */
  matches(q: string, values: unknown[]): string;
  /** Everything that contains a term, whatever the filters. */
  containing(term: SearchTerm, values: unknown[]): string;
}

/**
 * Replaces the one misspelt word of a search with few results by the nearest of the project's
 * words, if that finds more; otherwise returns null. A word is misspelt if nothing contains it.
 * Words of a phrase, excluded words and words with a digit are not corrected.
 */
export async function correctQuery(
  tx: Tx,
  projectId: string,
  text: string,
  resultCount: number,
  corpus: Corpus,
): Promise<string | null> {
  const words = (parseQuery(text) ?? []).flat().filter(mayBeMisspelt);
  const unknownTerms = await findUnknownTerms(tx, words, corpus);
  const term = unknownTerms[0];
  // If two words are wrong, correcting one of them finds nothing.
  if (!term || unknownTerms.length > 1) return null;
  const similarWords = await findSimilarWords(tx, projectId, foldWord(term.words[0]!));
  const corrections = similarWords.map(({ word, distance }) => ({
    q: text.slice(0, term.from) + word + text.slice(term.to),
    distance,
  }));
  const counts = await countEach(
    tx,
    corrections.map(({ q }) => q),
    corpus,
  );
  const improvements = corrections
    .map((one, at) => ({ ...one, count: counts[at] ?? 0 }))
    .filter(({ count }) => count > resultCount)
    // Of equally near words, the one with more matches is used.
    .sort((a, b) => a.distance - b.distance || b.count - a.count);
  return improvements[0]?.q ?? null;
}

function mayBeMisspelt(term: SearchTerm): boolean {
  const [word, ...others] = term.words;
  return (
    word !== undefined &&
    others.length === 0 &&
    !term.not &&
    !term.quoted &&
    [...word].length >= minWordLength &&
    !/\p{N}/u.test(word)
  );
}

/**
 * The terms that nothing contains, in the trash or not. Postgres plans a materialised subquery for all
 * its rows, so by the index of words. For the first row only, it would read the whole library in vain.
 */
async function findUnknownTerms(
  tx: Tx,
  terms: readonly SearchTerm[],
  corpus: Corpus,
): Promise<SearchTerm[]> {
  if (terms.length === 0) return [];
  const values: unknown[] = [];
  const rows = await query<{ at: number }>(
    tx,
    terms
      .map(
        (term, at) =>
          `SELECT ${at} AS at WHERE NOT EXISTS (
             WITH found AS MATERIALIZED (SELECT FROM ${corpus.containing(term, values)})
             SELECT FROM found)`,
      )
      .join(' UNION ALL '),
    values,
  );
  return rows.map(({ at }) => terms[at]!);
}

/** The words of the project that are similar to a word, nearest first. */
async function findSimilarWords(
  tx: Tx,
  projectId: string,
  word: string,
): Promise<{ word: string; distance: number }[]> {
  const maxDistance = [...word].length < minLengthForTwoErrors ? 1 : 2;
  // Two swapped letters change most of a short word's trigrams.
  send(tx, `SELECT set_config('pg_trgm.similarity_threshold', '0.1', true)`, []);
  const rows = await query<{ word: string }>(
    tx,
    `SELECT word FROM (SELECT DISTINCT word FROM image_word_search
       WHERE project_id = $4 AND word % $1 AND char_length(word) BETWEEN $2 AND $3) alike
     ORDER BY similarity(word, $1) DESC, word LIMIT ${maxWordsCompared}`,
    [word, [...word].length - maxDistance, [...word].length + maxDistance, projectId],
  );
  return rows
    .map((row) => ({ word: row.word, distance: editDistance(word, row.word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxWordsTried);
}

/** The number of results of each query, up to a maximum that suffices to compare them. */
async function countEach(tx: Tx, queries: readonly string[], corpus: Corpus): Promise<number[]> {
  if (queries.length === 0) return [];
  const values: unknown[] = [];
  const selects = queries.map(
    (q, at) => `SELECT ${at} AS at, count(*) AS count
      FROM (SELECT FROM ${corpus.matches(q, values)} LIMIT ${maxMatchesCounted}) first`,
  );
  const rows = await query<{ at: number; count: number }>(tx, selects.join(' UNION ALL '), values);
  return queries.map((_, at) => rows.find((row) => row.at === at)?.count ?? 0);
}

/**
 * The number of letters to insert, delete, replace or swap with their neighbour to turn one word
 * into the other (optimal string alignment).
 */
function editDistance(first: string, second: string): number {
  const [a, b] = [[...first], [...second]];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      }
      row.push(cost);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length]!;
}
