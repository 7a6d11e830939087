import { objectStates } from '@scriptorium/contracts/wire/library/objects';
import { matchingObjectsSql, type ObjectSearch } from '../objects/conditions.ts';
import type { Corpus } from './correct-query.ts';

/** The objects of a search, whose misspelt words can be corrected. Only text that the caller may read counts. */
export function objectCorpus(search: ObjectSearch): Corpus {
  return {
    matches: (q, values) =>
      matchingObjectsSql({ ...search, filters: { ...search.filters, q } }, values),
    containing: ({ words, prefix }, values) => {
      const text = words.join(' ');
      // The last word of a query is a prefix; that of a phrase is not.
      const q = prefix ? text : `"${text}"`;
      return matchingObjectsSql({ ...search, filters: { q, state: objectStates } }, values);
    },
  };
}
