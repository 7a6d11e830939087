import { invalidParameter, type Problem } from '@scriptorium/contracts/problems';
import type { ObjectQuery } from '@scriptorium/contracts/wire/library/objects';
import type { Static } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import { type FilterFault, noWordsCode, termFaults } from '../../library/filter-faults.ts';
import { bboxFault, parseBbox } from '../../library/images/places.ts';
import type { ObjectFilters } from '../../library/objects/conditions.ts';
import { parseTagFilters } from '../../library/tag-filter.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';

/** The filters that lists and searches of objects have in common. */
type Query = Omit<
  Static<typeof ObjectQuery>,
  'id' | 'kind' | 'sort' | 'limit' | 'cursor' | 'include'
>;

/** Turns the faults of filters into the problem for the place that they are in. */
type ToProblem = (faults: readonly FilterFault[]) => Problem;

/**
 * Returns the filters of a query. A search text without words is valid: it matches nothing.
 * @throws Problem 400 for an invalid filter, or 403 without the right to read images
 */
export function readObjectFilters(identity: Identity, query: Query): ObjectFilters {
  return objectFiltersOf(identity, query, (faults) =>
    invalidParameter(...faults.map(({ field, ...fault }) => ({ parameter: field, ...fault }))),
  );
}

/**
 * Returns the filters of a query or body, as `readObjectFilters` does.
 * @throws the problem of `toProblem` for an invalid filter, or Problem 403
 */
export function objectFiltersOf(
  identity: Identity,
  query: Query,
  toProblem: ToProblem,
): ObjectFilters {
  const faults = termFaults(query).filter(({ code }) => code !== noWordsCode);
  if (faults.length > 0) throw toProblem(faults);
  if (query.bbox !== undefined) {
    // Otherwise a location could be found by trial and error.
    requireAdditionalScopes(identity, 'bbox', ['images:read']);
    if (!parseBbox(query.bbox)) throw toProblem([{ field: 'bbox', ...bboxFault }]);
  }
  return {
    q: query.q,
    state: query.state,
    mime: query.mime,
    tags: parseTagFilters(query.tag),
    derivedFrom: query.derived_from,
    source: query.source,
    originals: query.originals,
    bbox: query.bbox,
    createdAfter: query.created_after ? new Date(query.created_after) : undefined,
    createdBefore: query.created_before ? new Date(query.created_before) : undefined,
  };
}
