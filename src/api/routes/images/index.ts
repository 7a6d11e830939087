import { validationFailed } from '@scriptorium/contracts/problems';
import { ImagePatch, ImageRecord } from '@scriptorium/contracts/wire/library/images';
import type { Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { editImage } from '../../../library/images/edit.ts';
import { findImage, presentImage } from '../../../library/images/load.ts';
import { restoreObject, trashObject } from '../../../library/objects/ending/trash.ts';
import { lockObjectOfImage } from '../../../library/objects/load.ts';
import { completePair, lockPair } from '../../../library/pair.ts';
import { cleanPatch } from '../../../library/patch.ts';
import { noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { listImageCollections } from '../collections/containing.ts';
import { updateImages } from './edit.ts';
import { listPlaces } from './places.ts';
import { getRendition } from './renditions.ts';
import { searchRoute } from './search.ts';

const tag = 'Images';

const get = route({
  method: 'GET',
  path: '/v1/images/{id}',
  operationId: 'getImage',
  tag,
  summary: 'Get an image, including one in the trash.',
  scopes: ['images:read'],
  params: { id: 'image' },
  responses: { 200: ImageRecord },
  load: (call) => findImage(call.tx, call.key.projectId, call.params.id),
  handler: async ({ resource }) => ok(presentImage(resource), { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: '/v1/images/{id}',
  operationId: 'updateImage',
  tag,
  summary: 'Update an image.',
  description:
    'A JSON Merge Patch. `tags` replaces all tags. `add_tags` and `remove_tags` are safe with concurrent edits. `metadata` is merged. Tags and metadata are shared with the object. A patch without effect does not change the version.',
  scopes: ['images:write'],
  params: { id: 'image' },
  body: ImagePatch,
  responses: { 200: ImageRecord },
  problems: ['state_conflict'],
  load: (call) => lockPair(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, key, params, resource, body }) => {
    const { patch: cleaned, faults } = cleanPatch(body, '');
    if (faults.length > 0) throw validationFailed(faults);
    await editImage(tx, origin, resource, cleaned);
    const image = (await findImage(tx, key.projectId, params.id))!;
    return ok(presentImage(image), { version: image.version });
  },
});

const trash = route({
  method: 'DELETE',
  path: '/v1/images/{id}',
  operationId: 'trashImage',
  tag,
  summary: 'Move an image and its object to the trash.',
  description: 'They are purged after 30 days. Repeating the request does not extend that time.',
  scopes: ['images:write'],
  params: { id: 'image' },
  responses: { 204: null },
  problems: ['policy_denied', 'state_conflict'],
  load: (call) => lockWithObject(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, resource }) => {
    await trashObject(tx, origin, resource.object);
    return noContent();
  },
});

const restore = route({
  method: 'POST',
  path: '/v1/images/{id}/restore',
  operationId: 'restoreImage',
  tag,
  summary: 'Restore an image and its object from the trash.',
  scopes: ['images:write'],
  params: { id: 'image' },
  responses: { 200: ImageRecord },
  problems: ['state_conflict'],
  load: (call) => lockWithObject(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, key, params, resource }) => {
    await restoreObject(tx, origin, resource.object);
    const image = (await findImage(tx, key.projectId, params.id))!;
    return ok(presentImage(image), { version: image.version });
  },
});

/** The object of an image, both locked for a change of state. The version is that of the image. */
async function lockWithObject(
  tx: Tx,
  projectId: string,
  imageId: string,
): Promise<{ object: StoredObject; version: number } | null> {
  const object = await lockObjectOfImage(tx, projectId, imageId);
  if (!object) return null;
  const { version } = await completePair(tx, object);
  return { object, version };
}

export const imageRoutes = [
  searchRoute,
  updateImages,
  listPlaces,
  get,
  patch,
  trash,
  restore,
  getRendition,
  listImageCollections,
];
