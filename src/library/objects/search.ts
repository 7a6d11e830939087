import { parseQuery, type SearchQuery, toTsquery } from '../images/query-language.ts';

/**
 * What `q` demands of a row of the view `object_search`, as SQL; `bind` takes a value and gives its
 * placeholder. Details and recognised text are searched as one, so that one word may stand in the
 * name and another in the text.
 * @param restricted SQL that says of which rows the text may not be searched: of those only the
 *   details are; null when that holds for none
 */
export function searchCondition(
  q: string,
  restricted: string | null,
  bind: (value: unknown) => string,
): string {
  const query = parseQuery(q);
  if (!query) return 'false';
  const wanted = `to_tsquery('library', ${bind(toTsquery(query))})`;
  let found = `everything @@ ${wanted}`;
  if (hasPhrase(query)) {
    // A very long text is a set of words: a phrase in it is found by its words.
    const loose = `to_tsquery('library', ${bind(toTsquery(query, '&'))})`;
    found = `(${found} OR NOT has_positions AND everything @@ ${loose})`;
  }
  if (restricted === null) return found;
  return `(${found} AND NOT (${restricted}) OR details @@ ${wanted} AND (${restricted}))`;
}

function hasPhrase(query: SearchQuery): boolean {
  return query.some((group) => group.some(({ words }) => words.length > 1));
}
