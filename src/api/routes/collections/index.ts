import { type Fault, invalidParameter } from '@scriptorium/contracts/problems';
import {
  CollectionList,
  CollectionPatch,
  CollectionQuery,
  CollectionRecord,
  type MemberRef,
  NewCollection,
} from '@scriptorium/contracts/wire/library/collections';
import type { Static } from 'typebox';
import type { Tx } from '../../../db/transaction.ts';
import { changeCollection } from '../../../library/collections/change.ts';
import { createCollection } from '../../../library/collections/create.ts';
import type { CollectionListFilters } from '../../../library/collections/list.ts';
import {
  type CollectionWithPath,
  findCollection,
  presentCollection,
} from '../../../library/collections/load.ts';
import { parseMemberRef } from '../../../library/collections/members/references.ts';
import { countMembers } from '../../../library/collections/smart.ts';
import { restoreCollection, trashCollection } from '../../../library/collections/trash.ts';
import { termFaults } from '../../../library/filter-faults.ts';
import { parseTagFilters } from '../../../library/tag-filter.ts';
import { requireAdditionalScopes } from '../../frame/admit.ts';
import { created, noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { readCursor } from '../../requests/cursor.ts';
import { rejectFilterFaults } from '../../requests/filters.ts';
import { scopesOfQuery } from '../images/query-scopes.ts';
import { containingFilter } from './containing.ts';
import { memberRoutes } from './members.ts';
import { replyWithCollections } from './page.ts';
import { recheckMatch } from './recheck.ts';

const tag = 'Collections';

const list = route({
  method: 'GET',
  path: '/v1/collections',
  operationId: 'listCollections',
  tag,
  summary: 'List the collections of the project, by default newest first.',
  description:
    '`resource_type` and `resource_id` select the collections that contain an image or object, including smart collections whose query matches it.',
  scopes: ['collections:read'],
  work: 'search',
  query: CollectionQuery,
  responses: { 200: CollectionList },
  handler: async (call) => {
    const { query, key, tx } = call;
    const after = readCursor(call);
    const ref = readResource(query);
    rejectFilterFaults(termFaults({ tag: query.tag }));
    const filters: CollectionListFilters = {
      ids: query.id,
      state: query.state,
      kind: query.kind,
      parentId: query.parent_id === 'root' ? null : query.parent_id,
      tags: parseTagFilters(query.tag),
      q: query.q,
      containing: ref && (await containingFilter(tx, key.projectId, [ref])),
    };
    const includeCovers = query.include?.includes('covers') ?? false;
    return replyWithCollections(call, filters, { sort: query.sort, after, includeCovers });
  },
});

/** The resource to filter by: both parameters or neither. */
function readResource(query: Static<typeof CollectionQuery>): MemberRef | undefined {
  const { resource_type: type, resource_id: id } = query;
  if (type === undefined && id === undefined) return undefined;
  const ref = type && id && parseMemberRef(type, id);
  if (ref) return ref;
  const fault = ((): Fault => {
    const [parameter, other] =
      type === undefined ? ['resource_type', 'resource_id'] : ['resource_id', 'resource_type'];
    if (type === undefined || id === undefined) {
      return {
        parameter,
        code: 'required',
        detail: `\`${parameter}\` is required with \`${other}\`.`,
      };
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
  summary: 'Create a manual or smart collection.',
  description:
    'A manual collection has a list of members. A smart collection has a `query` with the filters of GET /v1/images, and contains the images that match at any time. A query requires the `images:read` scope, and its `collection_id` also `collections:read`.',
  scopes: ['collections:write'],
  body: NewCollection,
  responses: { 201: CollectionRecord },
  problems: ['quota_exceeded', 'state_conflict', 'collection_cycle', 'reference_not_found'],
  handler: async (call) => {
    if (call.body.query)
      requireAdditionalScopes(call.key, 'a query', scopesOfQuery(call.body.query));
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
  summary: 'Get a collection, including one in the trash.',
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
  summary: 'Update a collection, or move it to another parent.',
  description:
    'A JSON Merge Patch. `tags` replaces all tags; `metadata` and `query` are merged. A new name or parent changes the `path` and version of all nested collections. A patch without effect does not change the version. `kind` cannot be changed.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  body: CollectionPatch,
  responses: { 200: CollectionRecord },
  problems: ['state_conflict', 'collection_cycle', 'reference_not_found'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, origin, params, body, headers } = call;
    if (body.query) requireAdditionalScopes(call.key, 'a query', scopesOfQuery(body.query));
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
  summary: 'Move a collection and its nested collections to the trash.',
  description:
    'Members are not affected. Collections in the trash are purged after 30 days. Repeating the request does not extend that time.',
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
  summary: 'Restore a collection and everything trashed with it.',
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

async function present(tx: Tx, collection: CollectionWithPath): Promise<CollectionRecord> {
  return presentCollection(collection, await countMembers(tx, collection));
}

export const collectionRoutes = [list, create, get, patch, trash, restore, ...memberRoutes];
