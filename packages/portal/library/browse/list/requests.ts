import type { MonthsBy } from '@scriptorium/contracts/wire/library/images';
import { type QueryValue, requestFor } from '../../../api/request.ts';
import type { ListKind } from '../filters/filters.ts';

type Query = Record<string, QueryValue>;

/** The API's maximum for a page of a list, and for a batch of changes. */
export const pageSize = 200;
export const batchSize = 500;

export const listImages = (query: Query) =>
  requestFor('searchImages', {
    ...query,
    limit: pageSize,
    ...(query.q ? { include: 'highlights' } : {}),
  });

export const listObjects = (query: Query) =>
  requestFor('listObjects', { ...query, limit: pageSize, include: 'derived_count' });

/** Whether a list is sorted by the best match, which only the search does. */
export const isRanked = (query: Query): boolean =>
  query.q !== undefined && query.sort === undefined;

/** Smaller pages than those of lists, because each result has a passage. */
export const searchPageSize = 50;

/** Searches images, or all files. */
const resultsOf = (kind: ListKind, query: Query, more: Query) =>
  requestFor('search', { ...query, ...(kind === 'images' && { kind: 'image' }), ...more });

export const listResults = (kind: ListKind, query: Query) =>
  resultsOf(kind, query, { limit: searchPageSize });

const countOptions = { limit: 1, include: 'total,facets,months' };

export const countImages = (query: Query, monthsBy?: MonthsBy) =>
  requestFor('searchImages', { ...query, ...countOptions, months_by: monthsBy });

export const countObjects = (query: Query) =>
  requestFor('listObjects', { ...query, ...countOptions });

export const countResults = (kind: ListKind, query: Query) => resultsOf(kind, query, countOptions);

/** Requests cursors to positions far down the list. */
export const listStops = (kind: ListKind, query: Query) => {
  const isOfImages = kind === 'images';
  return requestFor(isRanked(query) ? 'search' : isOfImages ? 'searchImages' : 'listObjects', {
    ...query,
    ...(isRanked(query) && isOfImages && { kind: 'image' }),
    limit: 1,
    include: 'stops',
  });
};

/** Requests the images of objects. */
export const imagesOf = (objectIds: readonly string[], state?: QueryValue) =>
  requestFor('searchImages', { object_id: objectIds.join(','), state, limit: pageSize });

/** Requests objects by id, including those in the trash. */
export const objectsOf = (ids: readonly string[]) =>
  requestFor('listObjects', {
    id: ids.join(','),
    state: 'processing,available,rejected,failed,trashed',
    limit: pageSize,
    include: 'derived_count',
  });
