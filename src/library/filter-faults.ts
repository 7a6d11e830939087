import { limits } from '@scriptorium/contracts/limits';
import type { Fault } from '@scriptorium/contracts/problems';
import { parseQuery } from './images/search/query-language.ts';
import { parseTagFilter, parseTagFilters } from './tag-filter.ts';

/** A fault of a filter. Callers turn `field` into a parameter or a pointer. */
export interface FilterFault {
  field: string;
  code: string;
  detail: string;
}

/**
 * The code for a search text without a word. A query with it finds nothing; a body with it is
 * rejected.
 */
export const noWordsCode = 'no_words';

/** The faults of `q` and `tag` that schemas cannot express: no terms, or too many. */
export function termFaults(filters: {
  q?: string | undefined;
  tag?: readonly string[] | undefined;
}): FilterFault[] {
  const faults: FilterFault[] = [];
  const query = filters.q === undefined ? [] : parseQuery(filters.q);
  if (query === null) {
    faults.push({ field: 'q', code: noWordsCode, detail: 'It must have at least one word.' });
  }
  const wordCount = (query ?? []).flat().reduce((sum, term) => sum + term.words.length, 0);
  if (wordCount > limits.search_words) {
    const detail = `\`q\` can have at most ${limits.search_words} words, not ${wordCount}.`;
    faults.push({ field: 'q', code: 'too_many_words', detail });
  }
  if (filters.tag?.some((tag) => parseTagFilter(tag) === null)) {
    faults.push({ field: 'tag', code: 'empty_tag', detail: 'It must not contain an empty tag.' });
  }
  const tagCount = parseTagFilters(filters.tag).reduce((sum, { anyOf }) => sum + anyOf.length, 0);
  if (tagCount > limits.search_tags) {
    const detail = `\`tag\` can have at most ${limits.search_tags} tags in all, not ${tagCount}.`;
    faults.push({ field: 'tag', code: 'too_many_tags', detail });
  }
  return faults;
}

/** The faults of filters in a body, below `pointer`. */
export function withPointers(pointer: string, faults: readonly FilterFault[]): Fault[] {
  return faults.map(({ field, ...fault }) => ({ pointer: `${pointer}/${field}`, ...fault }));
}
