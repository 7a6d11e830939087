import type { TextRestriction } from '../../policies/text-restriction.ts';
import { parseQuery, type SearchQuery, toTsquery } from '../images/search/query-language.ts';

/** The weights of the words of files; the others are words of images. */
const weightsOfFiles = 'BD';
/** The words of titles, filenames and tags, as `object_index_names` has them. */
const namesSql = `ts_filter(details, '{a,b}')`;

/**
 * The condition of `q` on a row of the view `object_search`, as SQL; `bind` takes a value and
 * returns its placeholder. Details and recognised text are searched together, so one word may be in
 * the name and another in the text. If the text may not be searched, the text after redaction is
 * searched; if that may not be searched either, only the details are.
 * @param restriction null if all text may be searched
 * @param readsImages whether the words of images are searched too
 */
export function searchCondition(
  q: string,
  restriction: TextRestriction | null,
  readsImages: boolean,
  bind: (value: unknown) => string,
): string {
  const query = parseQuery(q);
  if (!query) return 'false';
  const weights = readsImages ? '' : weightsOfFiles;
  const tsquery = `to_tsquery('library', ${bind(toTsquery(query, { weights }))})`;
  // A very long text is indexed as a set of words: a phrase matches if its words occur.
  const looseQuery = hasPhrase(query)
    ? `to_tsquery('library', ${bind(toTsquery(query, { weights, adjacent: '&' }))})`
    : null;
  const matchIn = (words: string, positions: string): string =>
    looseQuery === null
      ? `${words} @@ ${tsquery}`
      : `(${words} @@ ${tsquery} OR NOT ${positions} AND ${words} @@ ${looseQuery})`;
  const inAllText = matchIn('everything', 'has_positions');
  if (restriction === null) return inAllText;
  const inDetails = `details @@ ${tsquery}`;
  const { text, redacted } = restriction;
  if (redacted === null) return `(${inAllText} AND NOT ${text} OR ${inDetails} AND ${text})`;
  // Exactly one of the three is tested for each row; otherwise an excluded word could match in
  // another one.
  const inRedacted = matchIn('everything_redacted', 'redacted_has_positions');
  const redactedHidden = `(redacted_free_of IS NULL OR ${redacted})`;
  return `(${inAllText} AND NOT ${text}
    OR redacted_free_of IS NOT NULL AND ${inRedacted} AND ${text} AND NOT ${redacted}
    OR ${inDetails} AND ${text} AND ${redactedHidden})`;
}

/**
 * The condition that all words of `q` are in the title, filename and tags; see `searchCondition`.
 * `suffices` is false if rows that match it may not match `q`.
 */
export function nameCondition(
  q: string,
  readsImages: boolean,
  bind: (value: unknown) => string,
): { sql: string; suffices: boolean } {
  const query = parseQuery(q);
  if (!query) return { sql: 'false', suffices: true };
  const tsquery = toTsquery(query, { weights: readsImages ? '' : 'B' });
  // An excluded word may be elsewhere.
  const suffices = !query.flat().some(({ not }) => not);
  return { sql: `${namesSql} @@ to_tsquery('library', ${bind(tsquery)})`, suffices };
}

function hasPhrase(query: SearchQuery): boolean {
  return query.some((group) => group.some(({ words }) => words.length > 1));
}
