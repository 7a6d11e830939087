import type { Static } from 'typebox';
import type {
  CollectionList,
  CollectionRecord,
  MemberBatchResult,
  MemberRef,
  NewCollection,
} from '../../../contracts/wire/library/collections.ts';
import type { ImageEditResults } from '../../../contracts/wire/library/image-edits.ts';
import type {
  ImageFilters,
  ImageList,
  ImagePatch,
} from '../../../contracts/wire/library/images.ts';
import type {
  ObjectList,
  ObjectPatch,
  ObjectRecord,
} from '../../../contracts/wire/library/objects.ts';
import type { ApiRequest, QueryValue } from '../../api/request.ts';

export type ImagePage = Static<typeof ImageList>;
export type ObjectPage = Static<typeof ObjectList>;
export type CollectionPage = Static<typeof CollectionList>;
type Query = Record<string, QueryValue>;

/** The API's maximum for a page of a list, and for a batch of changes. */
export const pageSize = 200;
export const batchSize = 500;

export const listImages = (query: Query): ApiRequest<ImagePage> => ({
  method: 'GET',
  path: '/v1/images',
  query: { ...query, limit: pageSize, ...(query.q ? { include: 'highlights' } : {}) },
});

export const countImages = (query: Query): ApiRequest<ImagePage> => ({
  method: 'GET',
  path: '/v1/images',
  query: { ...query, limit: 1, include: 'total,facets,months' },
});

/** Cursors to places far down the list. */
export const stopsOfImages = (query: Query): ApiRequest<ImagePage> => ({
  method: 'GET',
  path: '/v1/images',
  query: { ...query, limit: 1, include: 'stops' },
});

export const listObjects = (query: Query): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { ...query, limit: pageSize, include: 'derived_count' },
});

/** Cursors to places far down the list. */
export const stopsOfObjects = (query: Query): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { ...query, limit: 1, include: 'stops' },
});

/** The images of these objects. */
export const imagesOf = (objectIds: readonly string[]): ApiRequest<ImagePage> => ({
  method: 'GET',
  path: '/v1/images',
  query: { object_id: objectIds.join(','), limit: pageSize },
});

export const countObjects = (query: Query): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { ...query, limit: 1, include: 'total,facets,months' },
});

export const patchImages = (ids: readonly string[], patch: ImagePatch) =>
  edit({ ids, patch, on_error: 'continue' });

export const patchMatching = (filter: ImageFilters, expectedCount: number, patch: ImagePatch) =>
  edit({ filter, expected_count: expectedCount, patch, on_error: 'continue' });

function edit(body: object): ApiRequest<ImageEditResults> {
  return { method: 'PATCH', path: '/v1/images', body };
}

export const getObject = (id: string): ApiRequest<ObjectRecord> => ({
  method: 'GET',
  path: `/v1/objects/${id}`,
});

/** `version` is the one that was read: a change made since is not overwritten. */
export const patchObject = (
  id: string,
  version: number,
  body: ObjectPatch,
): ApiRequest<ObjectRecord> => ({
  method: 'PATCH',
  path: `/v1/objects/${id}`,
  headers: { 'If-Match': `"${version}"` },
  body,
});

const roots: Record<string, string> = { img: 'images', col: 'collections', obj: 'objects' };

const pathOf = (id: string): string => `/v1/${roots[id.slice(0, 3)] ?? 'objects'}/${id}`;

/** Moves an image with its object, an object, or a collection to trash. */
export const trash = (id: string): ApiRequest<null> => ({ method: 'DELETE', path: pathOf(id) });

export const restore = (id: string): ApiRequest<unknown> => ({
  method: 'POST',
  path: `${pathOf(id)}/restore`,
});

export const findObjects = (q: string, limit: number): ApiRequest<ObjectPage> => ({
  method: 'GET',
  path: '/v1/objects',
  query: { q, limit },
});

export const findCollections = (q: string): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { kind: 'manual', q: q || undefined, sort: 'name', limit: 20 },
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

/** The newest collections that members can be added to, with covers. */
export const newestCollections = (limit: number): ApiRequest<CollectionPage> => ({
  method: 'GET',
  path: '/v1/collections',
  query: { kind: 'manual', include: 'covers', limit },
});

export const addMembers = (
  id: string,
  ids: readonly string[],
): ApiRequest<Static<typeof MemberBatchResult>> => ({
  method: 'POST',
  path: `/v1/collections/${id}/members/batch`,
  body: { add: ids.map(memberOf), on_error: 'continue' },
});

export const removeMembers = (
  id: string,
  ids: readonly string[],
): ApiRequest<Static<typeof MemberBatchResult>> => ({
  method: 'POST',
  path: `/v1/collections/${id}/members/batch`,
  body: { remove: ids.map(memberOf), on_error: 'continue' },
});

function memberOf(id: string): MemberRef {
  return {
    resource_type: id.startsWith('img_') ? 'image' : 'object',
    resource_id: id,
  };
}
