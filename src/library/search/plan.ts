import { planTextSearch } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';

/** How to find the newest matches of a search: by the index of words, or by reading the newest objects. */
export interface SearchPlan {
  wordsFirst: boolean;
  /** The same for matches with the words in their names. */
  namesFirst: boolean;
}

/**
 * Reading an object and comparing its text takes about twice as long as reading one that the index has
 * found.
 */
const costOfComparison = 2;

/**
 * Plans the statements that find the newest matches. Postgres's own choice would be wrong by a factor of
 * ten, because it does not know that texts are long. Its statistics know how frequent words are.
 */
export async function planSearch(
  tx: Tx,
  search: ObjectSearch,
  wanted: number,
): Promise<SearchPlan> {
  planTextSearch(tx, 'some');
  const { caller, policies, at, filters } = search;
  const onlyWords = { caller, policies, at, filters: { q: filters.q, tags: filters.tags } };
  const [objects, withWords, matches, withNames, matchesByName] = await Promise.all([
    estimateRows(tx, 'object_search', []),
    ...[onlyWords, search].map((one) => estimateMatches(tx, one, false)),
    ...[onlyWords, search].map((one) => estimateMatches(tx, one, true)),
  ]);
  const isIndexFaster = (found: number, matching: number): boolean =>
    found < (costOfComparison * wanted * objects) / Math.max(1, matching);
  return {
    wordsFirst: isIndexFaster(withWords!, matches!),
    namesFirst: isIndexFaster(withNames!, matchesByName!),
  };
}

function estimateMatches(tx: Tx, search: ObjectSearch, inNames: boolean): Promise<number> {
  const values: unknown[] = [];
  return estimateRows(tx, matchingObjectsSql(search, values, { inNames }), values);
}

/** The estimate of the planner. */
async function estimateRows(tx: Tx, from: string, values: unknown[]): Promise<number> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    tx,
    `EXPLAIN (FORMAT JSON) SELECT FROM ${from}`,
    values,
  );
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
