import { notFound } from '@scriptorium/contracts/problems';
import {
  MemberBatch,
  MemberBatchResult,
  MemberMove,
  MemberRecord,
  MemberRef,
  ResourceId,
  resourceTypes,
} from '@scriptorium/contracts/wire/library/collections';
import { Type } from 'typebox';
import type { Tx } from '../../../db/transaction.ts';
import { type CollectionWithPath, findCollection } from '../../../library/collections/load.ts';
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
import { parseMemberRef } from '../../../library/collections/members/references.ts';
import { created, noContent, ok } from '../../frame/reply.ts';
import { problemDocument } from '../../frame/responses/problem.ts';
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
  const ref = parseMemberRef(params.type, params.rid);
  if (!ref) throw memberNotFound(params.id, params.rid);
  return ref;
}

/**
 * Finds the collection in the path, which must contain the member in the path. Smart collections are
 * accepted here, and changes to them are rejected later.
 */
async function findCollectionOfMember(
  tx: Tx,
  projectId: string,
  params: { id: string; type: string; rid: string },
): Promise<CollectionWithPath> {
  const collection = await findCollection(tx, projectId, params.id);
  if (!collection) throw notFound('collection', params.id);
  const ref = readRef(params);
  const isMember =
    collection.kind === 'smart' || (await findMembers(tx, collection, [ref])).size > 0;
  if (!isMember) throw memberNotFound(params.id, params.rid);
  return collection;
}

const add = route({
  method: 'POST',
  path: membersPath,
  operationId: 'addCollectionMember',
  tag,
  summary: 'Add an image or object to the end of a collection.',
  description:
    'Returns 200 if it is already a member, without moving it. An image and its object are separate members.',
  scopes: ['collections:write'],
  params: { id: 'collection' },
  body: MemberRef,
  responses: { 200: MemberRecord, 201: MemberRecord },
  problems: ['state_conflict', 'reference_not_found'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async ({ tx, origin, params, body, headers }) => {
    const recheck = recheckMatch(headers);
    const { member, added } = await addMember(tx, origin, params.id, body, recheck);
    const record = presentMember(member);
    if (!added) return ok(record);
    const { resource_type: type, resource_id: id } = record;
    return created(record, `/v1/collections/${params.id}/members/${type}/${id}`);
  },
});

const batch = route({
  method: 'POST',
  path: '/v1/collections/{id}/members/batch',
  operationId: 'changeCollectionMembers',
  tag,
  summary: 'Add and remove several members of a collection.',
  description:
    'Members are added at the end in the given order. The maximum is 500 members in total. A member must not be in both lists.',
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
      action,
      index,
      ...ref,
      outcome,
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
  summary: 'Move a member directly before or after another one.',
  scopes: ['collections:write'],
  params: memberParams,
  body: MemberMove,
  responses: { 200: MemberRecord },
  problems: ['member_not_found', 'state_conflict', 'reference_not_found'],
  load: (call) => findCollectionOfMember(call.tx, call.key.projectId, call.params),
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
  summary: 'Remove a member from a collection.',
  description:
    'The image or object itself is not affected. Members in the trash, which lists do not show, can be removed too.',
  scopes: ['collections:write'],
  params: memberParams,
  responses: { 204: null },
  problems: ['member_not_found', 'state_conflict'],
  load: (call) => findCollectionOfMember(call.tx, call.key.projectId, call.params),
  handler: async ({ tx, origin, params, headers }) => {
    await removeMember(tx, origin, params.id, readRef(params), recheckMatch(headers));
    return noContent();
  },
});

export const memberRoutes = [listCollectionMembers, add, batch, move, remove];
