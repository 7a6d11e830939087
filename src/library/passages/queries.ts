import { planTextSearch } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';
import { readableSql, readsEverything } from '../search/queries.ts';
import { anyForm, type PassageQuery } from './terms.ts';

/** The maximum number of passages that are counted for a word, and in the project. */
const maxCounted = 1_000;
const maxCountedInAll = 5_000;
/**
 * The maximum number of passages that are ranked because they have a rare word, less than are
 * counted, and because they have other words.
 */
const maxWithRareWord = 800;
const maxWithOthers = 300;

/** The maximum number of words, the rarest ones, by which passages are ranked. */
const maxRankedTerms = 32;

/** The weights of D, C, B and A: text has D, headings B. */
const weights = '{0.7, 0, 1, 0}';
/** The weight of two consecutive words of the query that are near each other. */
const proximityWeight = 0.4;
/** The share of the score that is divided by the length, and the usual number of different words. */
const lengthShare = 0.4;
const usualLength = 100;

/** A passage by its key. */
export interface RankedPassage {
  objectId: string;
  redacted: boolean;
  page: number;
  position: number;
  score: number;
}

/** The best of the passages that `candidatesOf` selects. */
export async function rankPassages(
  tx: Tx,
  search: ObjectSearch,
  wanted: PassageQuery,
  limit: number,
): Promise<RankedPassage[]> {
  planTextSearch(tx, 'some');
  const rarities = await readRarities(tx, search, wanted);
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const tsquery = (text: string): string => `to_tsquery('library', ${bind(text)})`;
  const terms = wanted.terms
    .map((term, at) => ({ text: anyForm(term), size: term.words.length, ...rarities[at]! }))
    .filter(({ count }) => count > 0);
  keepRarest(terms, maxRankedTerms);
  if (terms.length === 0) return [];
  const sets = candidatesOf(terms).map((set) => candidatesSql(search, wanted, set, values));
  // ts_rank divides by the number of words in the query.
  const scores = terms.map(
    ({ text, size, weight }) =>
      `${bind(weight * size)}::float8 * ts_rank('${weights}', vector, ${tsquery(text)})`,
  );
  const pairs = terms.slice(1).map(({ text, weight }, at) => {
    const pair = tsquery(`(${terms[at]!.text}) & (${text})`);
    const factor = bind(proximityWeight * Math.min(weight, terms[at]!.weight));
    return `${factor}::float8 * least(1, ts_rank_cd('{1, 1, 1, 1}', vector, ${pair}))`;
  });
  return query<RankedPassage>(
    tx,
    `SELECT object_id AS "objectId", redacted, page, position,
       round(((${scores.join(' + ')}) / (1 - ${lengthShare} + ${lengthShare} * length(vector) / ${usualLength}.0)
         ${pairs.map((pair) => ` + ${pair}`).join('')})::numeric, 4)::float8 AS score
     FROM (${sets.join(' UNION ALL ')}) candidate
     ORDER BY score DESC, object_id DESC, page, position LIMIT ${Math.trunc(limit)}`,
    values,
  );
}

/** Removes the most frequent words of a long question, and keeps the order of the others. */
function keepRarest(terms: { weight: number }[], limit: number): void {
  const kept = new Set(terms.toSorted((a, b) => b.weight - a.weight).slice(0, limit));
  terms.splice(0, terms.length, ...terms.filter((term) => kept.has(term)));
}

/** Passages that may be ranked: those with some words, without the previous ones, up to a limit. */
interface Candidates {
  words: string;
  except: string | undefined;
  limit: number;
}

/**
 * If all passages with the rarest words can be ranked, these, and some with the next word. Otherwise
 * some with all words, with the two rarest, and with the rarest.
 */
function candidatesOf(terms: readonly { text: string; count: number }[]): Candidates[] {
  const rarest = terms.toSorted((a, b) => a.count - b.count);
  const rareCount = terms.length === 1 ? 1 : countWithin(rarest, maxWithRareWord);
  const texts = rarest.map(({ text }) => text);
  const conditions =
    rareCount > 0
      ? [texts.slice(0, rareCount).join(' | '), ...texts.slice(rareCount, rareCount + 1)]
      : // Of two words, the two rarest are all.
        [...new Set([texts, texts.slice(0, 2), texts.slice(0, 1)].map(allOf))];
  return conditions.map((words, at) => ({
    words,
    except: conditions[at - 1],
    limit: at === 0 && rareCount > 0 ? maxWithRareWord : maxWithOthers,
  }));
}

const allOf = (texts: readonly string[]): string => texts.map((text) => `(${text})`).join(' & ');

/** How many of the first terms have no more passages together than a limit. */
function countWithin(terms: readonly { count: number }[], limit: number): number {
  let sum = 0;
  const first = terms.findIndex(({ count }) => {
    sum += count;
    return sum > limit;
  });
  return first < 0 ? terms.length : first;
}

/**
 * How many passages have each term, and how much that says about a passage (inverse document
 * frequency). Text that the caller may not read does not count, because scores would reveal it.
 */
async function readRarities(
  tx: Tx,
  search: ObjectSearch,
  { terms }: PassageQuery,
): Promise<{ count: number; weight: number }[]> {
  const values: unknown[] = [];
  const count = (condition: string, limit: number): string =>
    `(SELECT count(*)::integer FROM (
       SELECT FROM (SELECT * FROM passage_search WHERE ${condition} OFFSET 0) found
       ${readableJoin(search, values)} LIMIT ${limit}) counted)`;
  const total = count('true', maxCountedInAll);
  const counts = terms.map((term) => {
    const words = `$${values.push(anyForm(term))}`;
    return count(`vector @@ to_tsquery('library', ${words})`, maxCounted);
  });
  const [row] = await query<{ total: number; counts: number[] }>(
    tx,
    `SELECT ${total} AS total, ARRAY[${counts.join(', ')}] AS counts`,
    values,
  );
  return row!.counts.map((found) => ({
    count: found,
    weight: Math.log(1 + (row!.total - found + 0.5) / (found + 0.5)),
  }));
}

/** Passages with some words that the caller may read, of objects that the filters match. */
function candidatesSql(
  search: ObjectSearch,
  { required }: PassageQuery,
  { words, except, limit }: Candidates,
  values: unknown[],
): string {
  const filters = { ...search.filters, q: undefined };
  const matches = matchingObjectsSql({ ...search, filters }, values);
  const conditions = [words, ...required].map(
    (text) => `vector @@ to_tsquery('library', $${values.push(text)})`,
  );
  if (except) conditions.push(`NOT vector @@ to_tsquery('library', $${values.push(except)})`);
  return `(SELECT found.object_id, found.redacted, found.page, found.position, found.vector
    FROM (SELECT * FROM passage_search WHERE ${conditions.join(' AND ')} OFFSET 0) found
    CROSS JOIN LATERAL (SELECT id FROM ${matches} AND id = found.object_id OFFSET 0) matching
    ${readableJoin(search, values)}
    LIMIT ${limit})`;
}

/**
 * Restricts the passages `found` to those that the caller may read, as the end of a statement:
 * text as it was read, and that of redactions for pages without it; or only verified redactions.
 * @param withRedactions false leaves out objects of which only redactions may be read
 */
export function readableJoin(
  search: ObjectSearch,
  values: unknown[],
  withRedactions = true,
): string {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const project = bind(search.caller.projectId);
  const isOnlyReading = `(NOT found.redacted OR NOT EXISTS (
    SELECT FROM passage p WHERE p.project_id = ${project} AND p.object_id = found.object_id
      AND NOT p.redacted AND p.page <= found.page AND p.last_page >= found.page))`;
  const readable = readableSql(search, bind);
  if (readable === readsEverything) return `WHERE ${isOnlyReading}`;
  return `CROSS JOIN LATERAL (
      SELECT ${readable} AS readable, redacted_free_of
      FROM object JOIN object_search USING (id)
      WHERE project_id = ${project} AND id = found.object_id OFFSET 0) own
    WHERE CASE own.readable
      WHEN 'all' THEN ${isOnlyReading}
      WHEN 'redacted' THEN ${withRedactions} AND found.redacted
        AND (found.free_of = '{all}' OR found.free_of @> own.redacted_free_of)
      ELSE false END`;
}

/** A passage with what a result shows of it. */
export interface FoundPassage extends RankedPassage {
  filename: string;
  lastPage: number;
  headings: string[];
  text: string;
  boxes: { page: number; box: number[] }[] | null;
  chunk: number | null;
  /** The key of its chunk's citations; null if it is in no pack. */
  citationKey: string | null;
}

/** Reads passages, in their order. Those that were replaced in the meantime are left out. */
export function findPassages(
  tx: Tx,
  projectId: string,
  ranked: readonly RankedPassage[],
): Promise<FoundPassage[]> {
  return query<FoundPassage>(
    tx,
    `SELECT p.object_id AS "objectId", p.redacted, p.page, p.position, p.last_page AS "lastPage",
       p.headings, p.text, p.boxes, p.chunk, o.filename, wanted.score, cited.key AS "citationKey"
     FROM unnest($2::text[], $3::boolean[], $4::integer[], $5::integer[], $6::float8[])
       WITH ORDINALITY AS wanted (object_id, redacted, page, position, score, place)
     JOIN passage p ON p.project_id = $1 AND p.object_id = wanted.object_id
       AND p.redacted = wanted.redacted AND p.page = wanted.page AND p.position = wanted.position
     JOIN object o ON o.project_id = $1 AND o.id = p.object_id
     LEFT JOIN LATERAL (
       SELECT d.citation_key AS key FROM pack_document d
       WHERE d.project_id = $1 AND d.job_id = p.job_id AND d.state = 'succeeded'
         AND d.object_id = p.object_id
       ORDER BY d.pack_id DESC LIMIT 1) cited ON p.chunk IS NOT NULL
     ORDER BY wanted.place`,
    [
      projectId,
      ranked.map(({ objectId }) => objectId),
      ranked.map(({ redacted }) => redacted),
      ranked.map(({ page }) => page),
      ranked.map(({ position }) => position),
      ranked.map(({ score }) => score),
    ],
  );
}
