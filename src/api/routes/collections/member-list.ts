import { Problem } from '../../../contracts/problems.ts';
import {
  type ListedMember,
  MemberList,
  MemberQuery,
} from '../../../contracts/wire/library/collections.ts';
import type { Tx } from '../../../db/transaction.ts';
import { findCollection, type PlacedCollection } from '../../../library/collections/load.ts';
import { findMember, listMembers } from '../../../library/collections/members/list.ts';
import { presentMember } from '../../../library/collections/members/load.ts';
import { readMemberRef } from '../../../library/collections/members/references.ts';
import { withResources } from '../../../library/collections/members/resources.ts';
import { countMembers, listSmartMembers } from '../../../library/collections/smart.ts';
import type { ImagePosition } from '../../../library/images/search/search.ts';
import { requireAlso } from '../../frame/admit.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor, wantsTotal } from '../../requests/cursor.ts';

type Position = (string | number | null)[];

/** A listed member and the cursor position after it. */
interface Placed {
  member: ListedMember;
  position: Position;
}

export const listCollectionMembers = route({
  method: 'GET',
  path: '/v1/collections/{id}/members',
  operationId: 'listCollectionMembers',
  tag: 'Collections',
  summary: 'List the members of a collection in order.',
  description:
    'A manual collection has its own order. A smart collection contains the images that currently match its query, in the order of the search. Members in the trash are left out.',
  scopes: ['collections:read'],
  work: 'search',
  params: { id: 'collection' },
  query: MemberQuery,
  responses: { 200: MemberList },
  problems: ['cursor_expired'],
  load: (call) => findCollection(call.tx, call.key.projectId, call.params.id),
  handler: async (call) => {
    const { tx, key, query, resource: collection } = call;
    const shown = query.include?.includes('resource') ?? false;
    if (shown) requireAlso(key, 'include=resource', ['images:read', 'objects:read']);
    const after = readCursor(call);
    const limit = query.limit + 1;
    const placed = await (collection.kind === 'smart' ? listSmart : listManual)(
      tx,
      collection,
      after,
      limit,
    );
    const members = placed.map(({ member }) => member);
    const listed = shown ? await withResources(tx, key.projectId, members) : members;
    const rows = placed.map(({ position }, at) => ({ member: listed[at]!, position }));
    return page(call, rows, {
      present: ({ member }) => member,
      position: ({ position }) => position,
      total: wantsTotal(call) ? await countMembers(tx, collection) : null,
    });
  },
});

/** The members of a manual collection. A cursor is valid until the positions are reassigned. */
async function listManual(
  tx: Tx,
  collection: PlacedCollection,
  after: Position | null,
  limit: number,
): Promise<Placed[]> {
  const from = after && (await positionOf(tx, collection, after));
  const members = await listMembers(tx, collection, { after: from, limit });
  return members.map((member) => ({
    member: presentMember(member),
    position: [collection.orderEpoch, member.position, member.resourceType, member.resourceId],
  }));
}

/** The images that match the query of a smart collection. */
async function listSmart(
  tx: Tx,
  collection: PlacedCollection,
  after: Position | null,
  limit: number,
): Promise<Placed[]> {
  // The cursor holds what `position` below returned.
  const from = after as ImagePosition | null;
  const found = await listSmartMembers(tx, collection, { after: from, limit });
  return found.map(({ id, position }) => ({
    member: { resource_type: 'image', resource_id: id, position: null, added_at: null },
    position: [position, id],
  }));
}

/** The position of a cursor. If positions were reassigned, the current position of its member. */
async function positionOf(
  tx: Tx,
  collection: PlacedCollection,
  [epoch, position, type, id]: Position,
): Promise<string> {
  if (epoch === collection.orderEpoch) return String(position);
  const ref = readMemberRef(String(type), String(id));
  const member = ref && (await findMember(tx, collection, ref));
  if (member) return member.position;
  throw new Problem(
    'cursor_expired',
    'The cursor has expired: the order of the collection was rewritten. Start again without a cursor.',
    {
      errors: [
        {
          parameter: 'cursor',
          code: 'cursor_expired',
          detail: 'The member that it refers to no longer exists.',
        },
      ],
    },
  );
}
