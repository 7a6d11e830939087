import type { ImageFilters } from '../../../../contracts/wire/library/images.ts';
import { chipsOf } from '../../browse/filters/filters.ts';
import { browseSearchOf } from './query-search.ts';

/** A query in words, as in the filters of Browse. */
export function wordsOf(query: ImageFilters): string[] {
  return chipsOf(browseSearchOf(query)).map(({ label }) => label);
}
