import type { Static } from 'typebox';
import type {
  CollectionPatch,
  CollectionRecord,
  MemberBatch,
  MemberBatchResult,
  MemberList,
  MemberMove,
  MemberRecord,
  MemberRef,
} from '../../../contracts/wire/library/collections.ts';
import type { ImageFilters, ImageList } from '../../../contracts/wire/library/images.ts';
import type { ApiRequest, QueryValue } from '../../api/request.ts';
import type { CollectionPage } from '../browse/requests.ts';

export type MemberPage = Static<typeof MemberList>;

export const listCollections = (cursor?: string): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { sort: 'name', include: 'covers', limit: 200, cursor },
});

/** `version` is the one that was read: a change made since is not overwritten. */
export const patchCollection = (
  id: string,
  body: CollectionPatch,
  version?: number,
): ApiRequest<CollectionRecord> => ({
  method: 'PATCH',
  path: `/v1/collections/${id}`,
  ...(version === undefined ? {} : { headers: { 'If-Match': `"${version}"` } }),
  body,
});

/** `withResources` includes each member's record; the key must be allowed to read it. */
export const listMembers = (id: string, withResources: boolean): ApiRequest<MemberPage> => ({
  method: 'GET',
  path: `/v1/collections/${id}/members`,
  query: { limit: 100, ...(withResources ? { include: 'resource' } : {}) },
});

export const moveMember = (
  id: string,
  { resource_type: type, resource_id: rid }: MemberRef,
  body: MemberMove,
): ApiRequest<MemberRecord> => ({
  method: 'PATCH',
  path: `/v1/collections/${id}/members/${type}/${rid}`,
  body,
});

export const changeMembers = (
  id: string,
  body: Partial<MemberBatch>,
): ApiRequest<Static<typeof MemberBatchResult>> => ({
  method: 'POST',
  path: `/v1/collections/${id}/members/batch`,
  body: { on_error: 'continue', ...body },
});

/** The first matches of a query and their number. */
export const previewQuery = (
  query: Record<string, QueryValue>,
): ApiRequest<Static<typeof ImageList>> => ({
  method: 'GET',
  path: '/v1/images',
  query: { ...query, limit: 8, include: 'total' },
});

export const findImages = (q: string): ApiRequest<Static<typeof ImageList>> => ({
  method: 'GET',
  path: '/v1/images',
  query: { q, limit: 30 },
});

/** A smart collection's query as query parameters of `GET /v1/images`. */
export function searchOf(query: ImageFilters): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (name === 'tag' && Array.isArray(value)) for (const term of value) search.append(name, term);
    else search.set(name, String(value));
  }
  return search;
}

/** The query of Browse that shows the same images. */
export function browseSearchOf(query: ImageFilters): URLSearchParams {
  const search = searchOf(query);
  search.set('show', 'images');
  return search;
}
