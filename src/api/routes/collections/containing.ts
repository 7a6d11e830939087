import { CollectionList, type MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { listQuery, strictObject } from '@scriptorium/contracts/wire/shapes';
import type { Tx } from '../../../db/transaction.ts';
import type { CollectionListFilters } from '../../../library/collections/list.ts';
import { findSmartCollections } from '../../../library/collections/smart.ts';
import { findImage, findImageId } from '../../../library/images/load.ts';
import { findObject } from '../../../library/objects/load.ts';
import { route } from '../../frame/route.ts';
import { readCursor } from '../../requests/cursor.ts';
import { type ListCall, replyWithCollections } from './page.ts';

/** The filter for collections that contain one of these resources, as members or by their query. */
export async function containingFilter(
  tx: Tx,
  projectId: string,
  refs: readonly MemberRef[],
): Promise<CollectionListFilters['containing']> {
  return { refs, smartIds: await findSmartCollections(tx, projectId, refs) };
}

const description =
  'Newest first, without the trash. Includes smart collections whose query matches the image; their `member_count` is null.';

export const listObjectCollections = route({
  method: 'GET',
  path: '/v1/objects/{id}/collections',
  operationId: 'listObjectCollections',
  tag: 'Objects',
  summary: 'List the collections that contain an object or its image.',
  description,
  scopes: ['objects:read', 'collections:read'],
  work: 'search',
  params: { id: 'object' },
  query: strictObject(listQuery()),
  responses: { 200: CollectionList },
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { id, projectId } = call.resource;
    const imageId = await findImageId(call.tx, projectId, id);
    return replyWithCollectionsOf(call, [
      { resource_type: 'object', resource_id: id },
      ...(imageId ? [{ resource_type: 'image' as const, resource_id: imageId }] : []),
    ]);
  },
});

export const listImageCollections = route({
  method: 'GET',
  path: '/v1/images/{id}/collections',
  operationId: 'listImageCollections',
  tag: 'Images',
  summary: 'List the collections that contain an image.',
  description,
  scopes: ['images:read', 'collections:read'],
  work: 'search',
  params: { id: 'image' },
  query: strictObject(listQuery()),
  responses: { 200: CollectionList },
  load: (call) => findImage(call.tx, call.key.projectId, call.params.id),
  handler: (call) =>
    replyWithCollectionsOf(call, [{ resource_type: 'image', resource_id: call.resource.id }]),
});

async function replyWithCollectionsOf(call: ListCall, refs: readonly MemberRef[]) {
  const containing = await containingFilter(call.tx, call.key.projectId, refs);
  const options = { sort: '-created_at', after: readCursor(call) } as const;
  return replyWithCollections(call, { state: ['available'], containing }, options);
}
