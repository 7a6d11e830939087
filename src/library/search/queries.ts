import { planTextSearch } from '../../db/statements/rows.ts';
import { readStops, type StopRow } from '../../db/statements/stops.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { textRestriction } from '../../policies/text-restriction.ts';
import { type SearchQuery, toTsquery } from '../images/search/query-language.ts';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';
import { planSearch, type SearchPlan } from './plan.ts';

/**
 * The number of newest matches that are ranked, of newest matches with the words in their names that are
 * also ranked, and of the newest ones that are ranked by their text, too.
 */
const maxRanked = 500;
const maxRankedByText = 100;

/** The weights of D, C, B and A; a caller without the right to read images has those of files. */
const allWeights = '{0.1, 0.2, 0.4, 1}';
const fileWeights = '{0.1, 0, 0.4, 0}';

/** The start of a page: after the object with this score. */
export type RankedPosition = [score: number, id: string];

/** The number of matches with a value. */
interface FacetCount {
  value: string;
  count: number;
}

/** A matching object, with its score in the database's full precision. */
export interface RankedObject {
  id: string;
  score: number;
}

/**
 * Matching objects, best first, at most `limit`, after a position. Ties are newest first. Matches that
 * are not ranked follow, newest first, with a score of 0.
 */
export async function rankObjects(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
  { after, limit }: { after: RankedPosition | null; limit: number },
): Promise<RankedObject[]> {
  const plan = await planSearch(tx, search, maxRanked);
  const values: unknown[] = [];
  const ranked = rankedSql(search, words, candidatesSql(search, plan, values), values);
  const startSql =
    after &&
    `WHERE (score, id) < ($${values.push(after[0])}::real, $${values.push(after[1])}::text COLLATE "C")`;
  const rows = await query<RankedObject & { total: number }>(
    tx,
    `SELECT id, score, total FROM (SELECT id, score, count(*) OVER ()::integer AS total FROM ${ranked}) listed
     ${startSql ?? ''} ORDER BY score DESC, id DESC LIMIT ${Math.trunc(limit)}`,
    values,
  );
  const page = rows.map(({ id, score }) => ({ id, score }));
  const areAllRanked = rows[0] ? rows[0].total < maxRanked : after === null;
  if (page.length === limit || areAllRanked) return page;
  const restValues: unknown[] = [];
  const candidates = candidatesSql(search, plan, restValues);
  const rest = unrankedSql(search, plan, candidates, restValues);
  const restStartSql = after?.[0] === 0 ? `AND id < $${restValues.push(after[1])}` : '';
  const others = await query<RankedObject>(
    tx,
    `SELECT id, 0::real AS score FROM ${rest} ${restStartSql}
     ORDER BY id DESC LIMIT ${Math.trunc(limit - page.length)}`,
    restValues,
  );
  return [...page, ...others];
}

/** The stops of a search, as `rankObjects` sorts it. */
export async function readRankedStops(
  tx: Tx,
  search: ObjectSearch,
  words: SearchQuery,
): Promise<StopRow[]> {
  const plan = await planSearch(tx, search, maxRanked);
  const values: unknown[] = [];
  const matches = `(
    WITH candidate AS MATERIALIZED (SELECT id FROM ${candidatesSql(search, plan, values)})
    SELECT id, score FROM ${rankedSql(search, words, 'candidate', values)}
    UNION ALL SELECT id, 0 FROM ${unrankedSql(search, plan, 'candidate', values)}) listed`;
  const order = 'score DESC, id DESC';
  return readStops(tx, { id: 'id', key: 'score', position: 'key', order, matches }, values);
}

/**
 * The candidates with their score, as the part of a statement after FROM. Identifiers sort by
 * the time of their creation. Long texts take too long to rank, so only those of the newest matches
 * count.
 * @param candidates as `candidatesSql`, or the name of a CTE with these rows
 */
function rankedSql(
  search: ObjectSearch,
  words: SearchQuery,
  candidates: string,
  values: unknown[],
): string {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { projectId, readsImages } = search.caller;
  const weights = `'${readsImages ? allWeights : fileWeights}'`;
  const tsquery = `to_tsquery('library', ${bind(toTsquery(wantedWords(words)))})`;
  const readable = readableSql(search, bind);
  return `(
    SELECT newest.id, ts_rank(${weights}, coalesce(readable.words, own.details), ${tsquery}) AS score
    FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM ${candidates}) newest
    CROSS JOIN LATERAL (SELECT details FROM object_search WHERE id = newest.id OFFSET 0) own
    LEFT JOIN LATERAL (
      SELECT CASE ${readable} WHEN 'all' THEN everything WHEN 'redacted' THEN everything_redacted
        ELSE details END AS words
      FROM object JOIN object_search USING (id)
      WHERE newest.place <= ${maxRankedByText} AND object.project_id = ${bind(projectId)}
        AND id = newest.id OFFSET 0) readable ON true) ranked`;
}

/** The matches that are ranked: the newest ones, and older ones with the words in their names. */
function candidatesSql(search: ObjectSearch, plan: SearchPlan, values: unknown[]): string {
  const newestSql = (inNames: boolean): string => {
    const options = { inNames, wordsFirst: inNames ? plan.namesFirst : plan.wordsFirst };
    const matches = matchingObjectsSql(search, values, options);
    return `(SELECT id FROM ${matches} ORDER BY id DESC LIMIT ${maxRanked})`;
  };
  return `(${newestSql(false)} UNION ${newestSql(true)}) candidate`;
}

/** The matches that are not ranked, as the part of a statement after FROM that ends with its conditions. */
function unrankedSql(
  search: ObjectSearch,
  plan: SearchPlan,
  candidates: string,
  values: unknown[],
): string {
  const matches = matchingObjectsSql(search, values, { wordsFirst: plan.wordsFirst });
  return `${matches} AND id NOT IN (SELECT id FROM ${candidates})`;
}

/** The words without the excluded ones: a query with these has a score of 0 without them. */
function wantedWords(words: SearchQuery): SearchQuery {
  const wanted = words
    .map((group) => group.filter(({ not }) => !not))
    .filter((group) => group.length > 0);
  return wanted.length > 0 ? wanted : words;
}

/** What `readableSql` returns if no policy withholds text. */
export const readsEverything = `'all'`;

/** Which text of an object the caller may read: 'all', 'redacted' or 'none'. */
export function readableSql(
  { caller: { address }, policies, at }: ObjectSearch,
  bind: (value: unknown) => string,
): string {
  const restriction = textRestriction(policies, { address, at }, bind);
  if (restriction === null) return readsEverything;
  const { text, redacted } = restriction;
  const redactedSql =
    redacted === null
      ? ''
      : `WHEN redacted_free_of IS NOT NULL AND NOT ${redacted} THEN 'redacted'`;
  return `(CASE WHEN NOT ${text} THEN 'all' ${redactedSql} ELSE 'none' END)`;
}

/** The matching images by orientation, most frequent first. Ignores the filter by orientation. */
export function countOrientations(tx: Tx, search: ObjectSearch): Promise<FacetCount[]> {
  const { orientation: _, ...ofImage } = search.filters.ofImage ?? {};
  const filters = { ...search.filters, ofImage };
  const values: unknown[] = [search.caller.projectId];
  const matches = matchingObjectsSql({ ...search, filters }, values, { wordsFirst: true });
  planTextSearch(tx, 'all');
  return query<FacetCount>(
    tx,
    `SELECT orientation AS value, count(*)::integer AS count FROM image
     WHERE project_id = $1 AND orientation IS NOT NULL AND object_id IN (SELECT id FROM ${matches})
     GROUP BY orientation ORDER BY count DESC, value`,
    values,
  );
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
