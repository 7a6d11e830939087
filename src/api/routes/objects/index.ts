import { grants } from '@scriptorium/contracts/scopes';
import {
  ObjectList,
  ObjectPatch,
  ObjectQuery,
  ObjectRecord,
} from '@scriptorium/contracts/wire/library/objects';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import { changeObject } from '../../../library/objects/change.ts';
import { prepareSearch } from '../../../library/objects/conditions.ts';
import { countDerived, countMatches } from '../../../library/objects/counts.ts';
import { purgeNow } from '../../../library/objects/ending/purge-now.ts';
import { restoreObject, trashObject, trashOutputs } from '../../../library/objects/ending/trash.ts';
import { listObjects, readObjectStops } from '../../../library/objects/list.ts';
import { findObject, lockObject, presentObject } from '../../../library/objects/load.ts';
import { lockObjectWithPair } from '../../../library/pair.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor, wantsTotal, writeStops } from '../../requests/cursor.ts';
import { readObjectFilters } from '../../requests/object-filters.ts';
import { listObjectCollections } from '../collections/containing.ts';
import { archiveObjects } from './archive.ts';
import { getObjectContent } from './content.ts';
import { listObjectDownloads } from './downloads.ts';
import { listObjectJobs } from './jobs.ts';
import { getPageImage } from './page-image.ts';
import { getPageText } from './page-text.ts';
import { createSignedUrl } from './signed-urls.ts';
import { emptyTrashRoute } from './trash.ts';
import { uploadObject } from './upload.ts';

const tag = 'Objects';

const list = route({
  method: 'GET',
  path: '/v1/objects',
  operationId: 'listObjects',
  tag,
  summary: 'List the objects of the project, by default newest first.',
  scopes: ['objects:read'],
  work: 'search',
  query: ObjectQuery,
  responses: { 200: ObjectList },
  handler: async (call) => {
    const { query, tx } = call;
    const filters = { ...readObjectFilters(call.key, query), id: query.id, kind: query.kind };
    const after = readCursor(call);
    const caller = { ...call.origin, readsImages: grants(call.key.scopes, 'images:read') };
    const search = await prepareSearch(tx, caller, filters);
    const rows = await listObjects(tx, search, {
      sort: query.sort,
      after,
      limit: query.limit + 1,
    });
    const included = new Set(query.include);
    const shownIds = rows.slice(0, query.limit).map(({ id }) => id);
    const [{ total, facets, months }, derived, stops] = await Promise.all([
      countMatches(tx, search, {
        total: wantsTotal(call),
        facets: included.has('facets'),
        months: included.has('months'),
      }),
      included.has('derived_count') ? countDerived(tx, call.key.projectId, shownIds) : null,
      included.has('stops') ? readObjectStops(tx, search, query.sort) : null,
    ]);
    const reply = await page(call, rows, {
      present: (object) => ({
        ...presentObject(object),
        ...(derived && { derived_count: derived.get(object.id) ?? 0 }),
      }),
      position: (object) => [object.position, object.id],
      count: () => total,
    });
    return {
      ...reply,
      body: {
        ...reply.body,
        ...(facets && { facets }),
        ...(months && { months }),
        ...(stops && { stops: writeStops(call, stops, ({ position, id }) => [position, id]) }),
      },
    };
  },
});

const get = route({
  method: 'GET',
  path: '/v1/objects/{id}',
  operationId: 'getObject',
  tag,
  summary: 'Get an object, including one in the trash.',
  scopes: ['objects:read'],
  params: { id: 'object' },
  responses: { 200: ObjectRecord },
  load: (call) => findObject(call.tx, call.key.projectId, call.params.id),
  handler: async ({ resource }) => ok(presentObject(resource), { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: '/v1/objects/{id}',
  operationId: 'updateObject',
  tag,
  summary: 'Update the filename, tags or metadata of an object.',
  description:
    'A JSON Merge Patch. `tags` replaces all tags; `metadata` is merged. A patch without effect does not change the version.',
  scopes: ['objects:write'],
  params: { id: 'object' },
  body: ObjectPatch,
  responses: { 200: ObjectRecord },
  problems: ['state_conflict'],
  load: (call) => lockObjectWithPair(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const object = await changeObject(call.tx, call.origin, call.resource, call.body);
    return ok(presentObject(object), { version: object.version });
  },
});

const trash = route({
  method: 'DELETE',
  path: '/v1/objects/{id}',
  operationId: 'trashObject',
  tag,
  summary: 'Move an object to the trash, or purge it.',
  description:
    'Objects in the trash are purged after 30 days. Repeating the request does not extend that time. Rejected and failed objects are purged immediately. `purge=true` permanently deletes the object and its image at once; it requires the `objects:purge` scope, and policies can still deny it.',
  scopes: ['objects:write'],
  params: { id: 'object' },
  query: strictObject({
    cascade: Type.Optional(
      Type.Enum(['outputs'], { description: 'Include the objects that jobs derived from it.' }),
    ),
    purge: Type.Optional(Type.Boolean({ description: 'Delete the object permanently.' })),
  }),
  responses: { 204: null },
  problems: ['policy_denied', 'state_conflict'],
  load: (call) => lockObject(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { cascade, purge } = call.query;
    if (purge) {
      requireAdditionalScopes(call.key, 'purging', ['objects:purge']);
      await purgeNow(call.tx, call.origin, call.resource, { outputs: cascade !== undefined });
      return noContent();
    }
    await trashObject(call.tx, call.origin, call.resource);
    if (cascade) await trashOutputs(call.tx, call.origin, call.resource);
    return noContent();
  },
});

const restore = route({
  method: 'POST',
  path: '/v1/objects/{id}/restore',
  operationId: 'restoreObject',
  tag,
  summary: 'Restore an object from the trash.',
  scopes: ['objects:write'],
  params: { id: 'object' },
  responses: { 200: ObjectRecord },
  problems: ['state_conflict'],
  load: (call) => lockObject(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const object = await restoreObject(call.tx, call.origin, call.resource);
    return ok(presentObject(object), { version: object.version });
  },
});

export const objectRoutes = [
  list,
  uploadObject,
  get,
  patch,
  trash,
  restore,
  getObjectContent,
  getPageImage,
  getPageText,
  createSignedUrl,
  listObjectDownloads,
  listObjectJobs,
  listObjectCollections,
  emptyTrashRoute,
  archiveObjects,
];
