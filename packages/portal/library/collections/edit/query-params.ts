import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { chipsOf } from '../../browse/filters/filters.ts';

/** Returns a smart collection's query as query parameters of `GET /v1/images`. */
export function queryParamsOf(query: ImageFilters): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (name === 'tag' && Array.isArray(value)) for (const term of value) search.append(name, term);
    else search.set(name, String(value));
  }
  return search;
}

/** Returns the query of Browse that shows the same images. */
export function browseParamsOf(query: ImageFilters): URLSearchParams {
  const search = queryParamsOf(query);
  search.set('show', 'images');
  return search;
}

/** Describes each filter of a query, as the chips of Browse do. */
export function queryLabels(query: ImageFilters): string[] {
  return chipsOf(browseParamsOf(query)).map(({ label }) => label);
}
