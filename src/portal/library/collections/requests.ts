import type { Static } from 'typebox';
import type {
  CollectionList,
  CollectionPatch,
  CollectionRecord,
  MemberBatch,
  MemberBatchResult,
  MemberList,
  MemberMove,
  MemberRecord,
  MemberRef,
  NewCollection,
} from '../../../contracts/wire/collections.ts';
import type { ImageFilters, ImageList } from '../../../contracts/wire/images.ts';
import type { ObjectList } from '../../../contracts/wire/objects.ts';
import type { ApiRequest, QueryValue } from '../../api/request.ts';

export type CollectionPage = Static<typeof CollectionList>;
export type MemberPage = Static<typeof MemberList>;

export const listCollections = (cursor?: string): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { sort: 'name', limit: 200, cursor },
});

export const getCollection = (id: string): ApiRequest<CollectionRecord> => ({
  method: 'GET',
  path: `/v1/collections/${id}`,
});

export const createCollection = (body: Partial<NewCollection>): ApiRequest<CollectionRecord> => ({
  method: 'POST',
  path: '/v1/collections',
  body,
});

/** With the version that was read, so that whoever changed it meanwhile is not overwritten. */
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

export const trashCollection = (id: string): ApiRequest<null> => ({
  method: 'DELETE',
  path: `/v1/collections/${id}`,
});

export const restoreCollection = (id: string): ApiRequest<CollectionRecord> => ({
  method: 'POST',
  path: `/v1/collections/${id}/restore`,
});

/** With what each member is, for a key that may read that. */
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

/** What a query finds: how many, and the first few. */
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

export const findObjects = (q: string): ApiRequest<Static<typeof ObjectList>> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { q, limit: 30 },
});

/** A smart collection's query as the search of images, and Browse in its address, take it. */
export function searchOf(query: ImageFilters): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (name === 'tag' && Array.isArray(value)) for (const term of value) search.append(name, term);
    else search.set(name, String(value));
  }
  return search;
}
