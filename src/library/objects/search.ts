import type { TextRestriction } from '../../policies/text-restriction.ts';
import { parseQuery, type SearchQuery, toTsquery } from '../images/search/query-language.ts';

/**
 * The condition of `q` on a row of the view `object_search`, as SQL; `bind` takes a value and
 * returns its placeholder. Details and recognised text are searched together, so one word may be in
 * the name and another in the text. If the text may not be searched, the text after redaction is
 * searched; if that may not be searched either, only the details are.
 * @param restricted null if all text may be searched
 */
export function searchCondition(
  q: string,
  restricted: TextRestriction | null,
  bind: (value: unknown) => string,
): string {
  const query = parseQuery(q);
  if (!query) return 'false';
  const wanted = `to_tsquery('library', ${bind(toTsquery(query))})`;
  // A very long text is indexed as a set of words: a phrase matches if its words occur.
  const loose = hasPhrase(query) ? `to_tsquery('library', ${bind(toTsquery(query, '&'))})` : null;
  const foundIn = (words: string, positions: string): string =>
    loose === null
      ? `${words} @@ ${wanted}`
      : `(${words} @@ ${wanted} OR NOT ${positions} AND ${words} @@ ${loose})`;
  const everywhere = foundIn('everything', 'has_positions');
  if (restricted === null) return everywhere;
  const inDetails = `details @@ ${wanted}`;
  const { text, redacted } = restricted;
  if (redacted === null) return `(${everywhere} AND NOT ${text} OR ${inDetails} AND ${text})`;
  // Exactly one of the three is tested for each row; otherwise an excluded word could match in
  // another one.
  const inRedacted = foundIn('everything_redacted', 'redacted_has_positions');
  const hidden = `(redacted_free_of IS NULL OR ${redacted})`;
  return `(${everywhere} AND NOT ${text}
    OR redacted_free_of IS NOT NULL AND ${inRedacted} AND ${text} AND NOT ${redacted}
    OR ${inDetails} AND ${text} AND ${hidden})`;
}

function hasPhrase(query: SearchQuery): boolean {
  return query.some((group) => group.some(({ words }) => words.length > 1));
}
