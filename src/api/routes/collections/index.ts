import type { Static } from 'typebox';
import { type Fault, invalidParameter } from '../../../contracts/problems.ts';
import {
  CollectionList,
  CollectionPatch,
  CollectionQuery,
  CollectionRecord,
  type MemberRef,
  NewCollection,
} from '../../../contracts/wire/collections.ts';
import type { Tx } from '../../../db/transaction.ts';
import { changeCollection } from '../../../library/collections/change.ts';
import { createCollection } from '../../../library/collections/create.ts';
import type { CollectionListFilters } from '../../../library/collections/list.ts';
import {
  findCollection,
  type PlacedCollection,
  presentCollection,
} from '../../../library/collections/load.ts';
import { readMemberRef } from '../../../library/collections/members/references.ts';
import { countMembers } from '../../../library/collections/smart.ts';
import { restoreCollection, trashCollection } from '../../../library/collections/trash.ts';
import { termFaults } from '../../../library/filter-faults.ts';
import { readTagFilters } from '../../../library/tag-filter.ts';
import { requireAlso } from '../../frame/admit.ts';
import { created, noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { readCursor } from '../../requests/cursor.ts';
import { refuseFilters } from '../../requests/filters.ts';
import { holdingFilter } from './holding.ts';
import { memberRoutes } from './members.ts';
import { answerCollections } from './page.ts';
import { recheckMatch } from './recheck.ts';

const tag = 'Collections';
/** A query tells of images by whether it finds them: who may not read these may not ask. */
const queryScopes = ['images:read'] as const;

const list = route({
  method: 'GET',
  path: '/v1/collections',
  operationId: 'listCollections',
  tag,
  summary: 'List the collections of the project, newest first unless said.',
  description:
    'With `resource_type` and `resource_id`, those that hold this image or object: smart collections whose query finds it are included.',
  scopes: ['collections:read'],
  work: 'search',
  query: CollectionQuery,
  responses: { 200: CollectionList },
  handler: async (call) => {
    const { query, key, tx } = call;
    const after = readCursor(call);
    const ref = readResource(query);
    refuseFilters(termFaults({ tag: query.tag }));
    const filters: CollectionListFilters = {
      state: query.state,
      kind: query.kind,
      parentId: query.parent_id === 'root' ? null : query.parent_id,
      tags: readTagFilters(query.tag),
      q: query.q,
      holding: ref && (await holdingFilter(tx, key.projectId, [ref])),
    };
    return answerCollections(call, filters, { sort: query.sort, after });
  },
});

/** The resource that a list is asked for: both of its parameters or neither. */
function readResource(query: Static<typeof CollectionQuery>): MemberRef | undefined {
  const { resource_type: type, resource_id: id } = query;
  if (type === undefined && id === undefined) return undefined;
  const ref = type && id && readMemberRef(type, id);
  if (ref) return ref;
  const fault = ((): Fault => {
    const [parameter, other] =
      type === undefined ? ['resource_type', 'resource_id'] : ['resource_id', 'resource_type'];
    if (type === undefined || id === undefined) {
      return { parameter, code: 'required', detail: `'${parameter}' belongs to '${other}'.` };
    }
    const detail = `It must be the identifier of an ${type}.`;
    return { parameter, code: 'id_prefix_mismatch', detail };
  })();
  throw invalidParameter(fault);
}

const create = route({
  method: 'POST',
  path: '/v1/collections',
  operationId: 'createCollection',
  tag,
  summary: 'Make a collection, with its first members or with a query.',
  description:
    'A manual collection lists its members by hand. A smart one has a `query`, filters as GET /v1/images takes them: its members are the images that match at the time. To give a query the key needs images:read, too.',
  scopes: ['collections:write'],
  body: NewCollection,
  responses: { 201: CollectionRecord },
  problems: ['quota_exceeded', 'state_conflict', 'collection_cycle', 'reference_not_found'],
  handler: async (call) => {
    if (call.body.query) requireAlso(call.key, 'a query', queryScopes);
    const collection = await createCollection(call.tx, call.origin, call.body);
    const body = await present(call.tx, collection);
    return created(body, `/v1/collections/${collection.id}`, { version: collection.version });
  },
});

const get = route({
  method: 'GET',
  path: '/v1/collections/{id}',
  operationId: 'getCollection',
  tag,
  summary: 'Get a collection, in the trash or not.',
  scopes: ['collections:read'],
  params: { id: 'collection' },
  responses: { 200: CollectionRecord },
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, resource }) =>
    ok(await present(tx, resource), { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: '/v1/collections/{id}',
  operationId: 'updateCollection',
  tag,
  summary: 'Change fields of a collection, or move it into another one.',
  description:
    'A JSON Merge Patch: tags replace those that are there; metadata and query are merged. A new name or place changes the `path` of all collections below, whose versions rise. What changes nothing leaves the version as it is. Whether a collection is manual or smart does not change.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  body: CollectionPatch,
  responses: { 200: CollectionRecord },
  problems: ['state_conflict', 'collection_cycle', 'reference_not_found'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, params, body, headers } = call;
    if (body.query) requireAlso(call.key, 'a query', queryScopes);
    const recheck = recheckMatch(headers);
    const collection = await changeCollection(tx, origin, params.id, body, recheck);
    return ok(await present(tx, collection), { version: collection.version });
  },
});

const trash = route({
  method: 'DELETE',
  path: '/v1/collections/{id}',
  operationId: 'trashCollection',
  tag,
  summary: 'Put a collection and all below it into the trash, where they end after 30 days.',
  description:
    'What it holds is not touched. One that is there already stays there, and its time goes on.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  responses: { 204: null },
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, params, headers }) => {
    await trashCollection(tx, origin, params.id, recheckMatch(headers));
    return noContent();
  },
});

const restore = route({
  method: 'POST',
  path: '/v1/collections/{id}/restore',
  operationId: 'restoreCollection',
  tag,
  summary: 'Bring a collection back from the trash, with all that went there with it.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  responses: { 200: CollectionRecord },
  problems: ['state_conflict', 'collection_cycle'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, params, headers }) => {
    const collection = await restoreCollection(tx, origin, params.id, recheckMatch(headers));
    return ok(await present(tx, collection), { version: collection.version });
  },
});

async function present(tx: Tx, collection: PlacedCollection): Promise<CollectionRecord> {
  return presentCollection(collection, await countMembers(tx, collection));
}

export const collectionRoutes = [list, create, get, patch, trash, restore, ...memberRoutes];
