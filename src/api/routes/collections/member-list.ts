import { Problem } from '../../../contracts/problems.ts';
import { type ListedMember, MemberList, MemberQuery } from '../../../contracts/wire/collections.ts';
import type { Tx } from '../../../db/transaction.ts';
import { findCollection, type PlacedCollection } from '../../../library/collections/load.ts';
import { findMember, listMembers } from '../../../library/collections/members/list.ts';
import { presentMember } from '../../../library/collections/members/load.ts';
import { readMemberRef } from '../../../library/collections/members/references.ts';
import { withResources } from '../../../library/collections/members/resources.ts';
import { countMembers, listSmartMembers } from '../../../library/collections/smart.ts';
import type { ImagePosition } from '../../../library/images/search.ts';
import { requireAlso } from '../../frame/admit.ts';
import { route } from '../../frame/route.ts';
import { page, readCursor, wantsTotal } from '../../requests/cursor.ts';

type Position = (string | number | null)[];

/** A member of a list and where a page that starts after it goes on. */
interface Placed {
  member: ListedMember;
  position: Position;
}

export const listCollectionMembers = route({
  method: 'GET',
  path: '/v1/collections/{id}/members',
  operationId: 'listCollectionMembers',
  tag: 'Collections',
  summary: 'List the members of a collection, in their order.',
  description:
    'Those of a manual collection in the order given by hand; those of a smart one are the images its query finds now, in the order of the search. Members in the trash are left out.',
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

/** Members listed by hand. The cursor's position counts while the positions are the same. */
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

/** The images that a query finds. */
async function listSmart(
  tx: Tx,
  collection: PlacedCollection,
  after: Position | null,
  limit: number,
): Promise<Placed[]> {
  // What a cursor holds is what `position` below put there.
  const from = after as ImagePosition | null;
  const found = await listSmartMembers(tx, collection, { after: from, limit });
  return found.map(({ id, position }) => ({
    member: { resource_type: 'image', resource_id: id, position: null, added_at: null },
    position: [position, id],
  }));
}

/** Where a cursor points; after all positions were given anew, to where its member stands now. */
async function positionOf(
  tx: Tx,
  collection: PlacedCollection,
  [epoch, position, type, id]: Position,
): Promise<string> {
  if (epoch === collection.orderEpoch) return String(position);
  const ref = readMemberRef(String(type), String(id));
  const member = ref && (await findMember(tx, collection, ref));
  if (member) return member.position;
  throw new Problem('cursor_expired', 'The order was rewritten; start again without a cursor.', {
    errors: [
      { parameter: 'cursor', code: 'cursor_expired', detail: 'The member it named is gone.' },
    ],
  });
}
