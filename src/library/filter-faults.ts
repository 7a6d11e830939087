import type { Fault } from '../contracts/problems.ts';
import { parseQuery } from './images/query-language.ts';
import { parseTagFilter } from './tag-filter.ts';

/** What is wrong with a filter, by its name: callers say whether it is a parameter or a pointer. */
export interface FilterFault {
  field: string;
  code: string;
  detail: string;
}

/** What no schema says of `q` and `tag`: there must be something to look for in them. */
export function termFaults(filters: {
  q?: string | undefined;
  tag?: readonly string[] | undefined;
}): FilterFault[] {
  const faults: FilterFault[] = [];
  if (filters.q !== undefined && parseQuery(filters.q) === null) {
    faults.push({ field: 'q', code: 'no_words', detail: 'It has no word to search for.' });
  }
  if (filters.tag?.some((tag) => parseTagFilter(tag) === null)) {
    faults.push({ field: 'tag', code: 'empty_tag', detail: 'It has an empty tag.' });
  }
  return faults;
}

/** The faults of filters that stand in a body, below `pointer`. */
export function pointTo(pointer: string, faults: readonly FilterFault[]): Fault[] {
  return faults.map(({ field, ...fault }) => ({ pointer: `${pointer}/${field}`, ...fault }));
}
