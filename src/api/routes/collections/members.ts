import { Type } from 'typebox';
import { notFound } from '../../../contracts/problems.ts';
import {
  MemberBatch,
  MemberBatchResult,
  MemberMove,
  MemberRecord,
  MemberRef,
  ResourceId,
  resourceTypes,
} from '../../../contracts/wire/collections.ts';
import type { Tx } from '../../../db/transaction.ts';
import { findCollection, type PlacedCollection } from '../../../library/collections/load.ts';
import {
  addMember,
  changeMembers,
  removeMember,
} from '../../../library/collections/members/edit.ts';
import {
  findMembers,
  memberNotFound,
  presentMember,
} from '../../../library/collections/members/load.ts';
import { moveMember } from '../../../library/collections/members/move.ts';
import { readMemberRef } from '../../../library/collections/members/references.ts';
import { problemDocument } from '../../frame/problem.ts';
import { created, noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { listCollectionMembers } from './member-list.ts';
import { recheckMatch } from './recheck.ts';

const tag = 'Collections';
const membersPath = '/v1/collections/{id}/members';
const memberPath = '/v1/collections/{id}/members/{type}/{rid}';
const memberParams = {
  id: 'collection',
  type: Type.Enum([...resourceTypes]),
  rid: ResourceId,
} as const;

/** The member in the path. */
function readRef(params: { id: string; type: string; rid: string }): MemberRef {
  const ref = readMemberRef(params.type, params.rid);
  if (!ref) throw memberNotFound(params.id, params.rid);
  return ref;
}

/**
 * The collection in the path, which holds the member in the path, hidden or not. A smart one holds
 * what it finds: that nothing of it can be changed is said later.
 */
async function findHolder(
  tx: Tx,
  projectId: string,
  params: { id: string; type: string; rid: string },
): Promise<PlacedCollection> {
  const collection = await findCollection(tx, projectId, params.id);
  if (!collection) throw notFound('collection', params.id);
  const ref = readRef(params);
  const held = collection.kind === 'smart' || (await findMembers(tx, collection, [ref])).size > 0;
  if (!held) throw memberNotFound(params.id, params.rid);
  return collection;
}

const add = route({
  method: 'POST',
  path: membersPath,
  operationId: 'addCollectionMember',
  tag,
  summary: 'Put an image or an object into a collection, at its end.',
  description:
    '200 when it is there already, where it stands. An image and the object of that image are two members.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  body: MemberRef,
  responses: { 200: MemberRecord, 201: MemberRecord },
  problems: ['state_conflict', 'reference_not_found'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, params, body, headers }) => {
    const recheck = recheckMatch(headers);
    const { member, added } = await addMember(tx, origin, params.id, body, recheck);
    const shown = presentMember(member);
    if (!added) return ok(shown);
    const { resource_type: type, resource_id: id } = shown;
    return created(shown, `/v1/collections/${params.id}/members/${type}/${id}`);
  },
});

const batch = route({
  method: 'POST',
  path: '/v1/collections/{id}/members/batch',
  operationId: 'changeCollectionMembers',
  tag,
  summary: 'Put many members into a collection and take many out.',
  description:
    'What is added stands at the end, in the order given. At most 500 in all; none may stand in both lists.',
  scopes: ['collections:write'],
  work: 'heavy',
  params: { id: 'collection' },
  body: MemberBatch,
  responses: { 200: MemberBatchResult },
  problems: ['state_conflict', 'reference_not_found'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, params, body, headers, requestId }) => {
    const recheck = recheckMatch(headers);
    const { collection, outcomes } = await changeMembers(tx, origin, params.id, body, recheck);
    const results = outcomes.map(({ action, index, ref, outcome, problem }) => ({
      ...{ action, index, ...ref, outcome },
      problem: problem && problemDocument(problem, requestId),
    }));
    const { memberCount, version } = collection;
    return ok({ member_count: memberCount, version, results }, { version });
  },
});

const move = route({
  method: 'PATCH',
  path: memberPath,
  operationId: 'moveCollectionMember',
  tag,
  summary: 'Put a member directly before or after another one.',
  scopes: ['collections:write'],
  params: memberParams,
  body: MemberMove,
  responses: { 200: MemberRecord },
  problems: ['member_not_found', 'state_conflict', 'reference_not_found'],
  load: (call) => findHolder(call.tx, call.key.projectId, call.params),
  handler: async ({ tx, origin, params, body, headers }) => {
    const recheck = recheckMatch(headers);
    const member = await moveMember(tx, origin, params.id, readRef(params), body, recheck);
    return ok(presentMember(member));
  },
});

const remove = route({
  method: 'DELETE',
  path: memberPath,
  operationId: 'removeCollectionMember',
  tag,
  summary: 'Take a member out of a collection.',
  description:
    'The image or object itself is not touched. One that is in the trash, where its membership is hidden, can be taken out too.',
  scopes: ['collections:write'],
  params: memberParams,
  responses: { 204: null },
  problems: ['member_not_found', 'state_conflict'],
  load: (call) => findHolder(call.tx, call.key.projectId, call.params),
  handler: async ({ tx, origin, params, headers }) => {
    await removeMember(tx, origin, params.id, readRef(params), recheckMatch(headers));
    return noContent();
  },
});

export const memberRoutes = [listCollectionMembers, add, batch, move, remove];
