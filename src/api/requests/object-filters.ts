import type { ObjectQuery } from '@scriptorium/contracts/wire/library/objects';
import type { Static } from 'typebox';
import type { Identity } from '../../access/authenticate.ts';
import { noWordsCode, termFaults } from '../../library/filter-faults.ts';
import { bboxFault, parseBbox } from '../../library/images/places.ts';
import type { ObjectFilters } from '../../library/objects/conditions.ts';
import { parseTagFilters } from '../../library/tag-filter.ts';
import { requireAdditionalScopes } from '../frame/admit.ts';
import { rejectFilterFaults } from './filters.ts';

/** The filters that lists and searches of objects have in common. */
type Query = Omit<
  Static<typeof ObjectQuery>,
  'id' | 'kind' | 'sort' | 'limit' | 'cursor' | 'include'
>;

/**
 * Returns the filters of a query. A search text without words is valid: it matches nothing.
 * @throws Problem 400 for an invalid filter, or 403 without the right to read images
 */
export function readObjectFilters(identity: Identity, query: Query): ObjectFilters {
  rejectFilterFaults(termFaults(query).filter(({ code }) => code !== noWordsCode));
  if (query.bbox !== undefined) {
    // Otherwise a location could be found by trial and error.
    requireAdditionalScopes(identity, 'bbox', ['images:read']);
    if (!parseBbox(query.bbox)) rejectFilterFaults([{ field: 'bbox', ...bboxFault }]);
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
