import { sortInMemory } from '../../db/statements/rows.ts';
import { readStops, type StopRow } from '../../db/statements/stops.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { textRestriction } from '../../policies/text-restriction.ts';
import { type SearchQuery, toTsquery } from '../images/search/query-language.ts';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';

/** The number of newest matches that are ranked, and of those that are also ranked by their text. */
const maxRanked = 10_000;
const maxRankedByText = 100;

/** The weights of D, C, B and A; a caller without the right to read images has those of files. */
const allWeights = '{0.1, 0.2, 0.4, 1}';
const fileWeights = '{0.1, 0, 0.4, 0}';

/** The start of a page: after the object with this score. */
export type RankedPosition = [score: number, id: string];

/** A matching object, with its score in the database's full precision. */
export interface RankedObject {
  id: string;
  score: number;
}

/** Matching objects, best first, at most `limit`, after a position. Ties are newest first. */
export async function rankObjects(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
  page: { after: RankedPosition | null; limit: number },
): Promise<RankedObject[]> {
  const values: unknown[] = [];
  const ranked = rankedSql(search, words, values);
  const startSql =
    page.after &&
    `WHERE (score, id) < ($${values.push(page.after[0])}::real, $${values.push(page.after[1])}::text COLLATE "C")`;
  sortInMemory(tx);
  return query<RankedObject>(
    tx,
    `SELECT id, score FROM ${ranked} ${startSql ?? ''}
     ORDER BY score DESC, id DESC LIMIT ${Math.trunc(page.limit)}`,
    values,
  );
}

/** The stops of a search, as `rankObjects` sorts it. */
export function readRankedStops(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
): Promise<StopRow[]> {
  const values: unknown[] = [];
  const matches = rankedSql(search, words, values);
  const order = 'score DESC, id DESC';
  return readStops(tx, { id: 'id', key: 'score', position: 'key', order, matches }, values);
}

/**
 * The newest matches with their score, as the part of a statement after FROM. Identifiers sort by
 * the time of their creation. Long texts take too long to rank, so only those of the newest matches
 * count.
 */
function rankedSql(search: ObjectSearch, words: SearchQuery, values: unknown[]): string {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { projectId, readsImages } = search.caller;
  const matches = matchingObjectsSql(search, values);
  const weights = `'${readsImages ? allWeights : fileWeights}'`;
  const tsquery = `to_tsquery('library', ${bind(toTsquery(words))})`;
  const readable = readableSql(search, bind);
  return `(
    SELECT newest.id, ts_rank(${weights}, coalesce(readable.words, newest.details), ${tsquery}) AS score
    FROM (
      SELECT id, details, row_number() OVER (ORDER BY id DESC) AS place
      FROM ${matches} ORDER BY id DESC LIMIT ${maxRanked}) newest
    LEFT JOIN LATERAL (
      SELECT CASE ${readable} WHEN 'all' THEN everything WHEN 'redacted' THEN everything_redacted
        ELSE details END AS words
      FROM object JOIN object_search USING (id)
      WHERE newest.place <= ${maxRankedByText} AND object.project_id = ${bind(projectId)}
        AND id = newest.id OFFSET 0) readable ON true) ranked`;
}

/** Which text of an object the caller may read: 'all', 'redacted' or 'none'. */
function readableSql(
  { caller: { address }, policies, at }: ObjectSearch,
  bind: (value: unknown) => string,
): string {
  const restriction = textRestriction(policies, { address, at }, bind);
  if (restriction === null) return `'all'`;
  const { text, redacted } = restriction;
  const redactedSql =
    redacted === null
      ? ''
      : `WHEN redacted_free_of IS NOT NULL AND NOT ${redacted} THEN 'redacted'`;
  return `(CASE WHEN NOT ${text} THEN 'all' ${redactedSql} ELSE 'none' END)`;
}

/** The page of an object that matches best. */
export interface BestPage {
  id: string;
  page: number;
  /** Null for text that was stored by an earlier release. */
  text: string | null;
}

/** The best page of each object whose text matches some of the words and may be read by the caller. */
export function findBestPages(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
  ids: readonly string[],
): Promise<BestPage[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const project = bind(search.caller.projectId);
  const terms = words.flat().filter(({ not }) => !not);
  const all = `to_tsquery('library', ${bind(toTsquery(terms.map((term) => [term])))})`;
  const any = `to_tsquery('library', ${bind(toTsquery([terms], { adjacent: '&' }))})`;
  return query<BestPage>(
    tx,
    `SELECT found.id, best.page, best.text
     FROM (
       SELECT id, redacted_free_of, ${readableSql(search, bind)} AS readable
       FROM object JOIN object_search USING (id)
       WHERE project_id = ${project} AND id = ANY(${bind(ids)}::text[]) OFFSET 0) found
     CROSS JOIN LATERAL (
       SELECT page, text FROM pages_to_search(${project}, found.id,
         CASE found.readable WHEN 'redacted' THEN found.redacted_free_of END) pages
       WHERE found.readable <> 'none' AND vector @@ ${any}
       ORDER BY vector @@ ${all} DESC, ts_rank(vector, ${any}) DESC, page LIMIT 1) best`,
    values,
  );
}
