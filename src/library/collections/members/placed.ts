import { Problem } from '@scriptorium/contracts/problems';
import type { ListedMember } from '@scriptorium/contracts/wire/library/collections';
import type { Tx } from '../../../db/transaction.ts';
import type { ImagePosition } from '../../images/search/search.ts';
import type { PlacedCollection } from '../load.ts';
import { listSmartMembers } from '../smart.ts';
import { findMember, listMembers } from './list.ts';
import { presentMember } from './load.ts';
import { readMemberRef } from './references.ts';

export type MemberPosition = (string | number | null)[];

/** A listed member, and the cursor position after it. */
export interface PlacedMember {
  member: ListedMember;
  position: MemberPosition;
}

/**
 * Visible members of a collection in order, at most `limit`, after a position.
 * @throws Problem 410 `cursor_expired` if the order was rewritten and the position's member is gone
 */
export function listPlaced(
  tx: Tx,
  collection: PlacedCollection,
  after: MemberPosition | null,
  limit: number,
): Promise<PlacedMember[]> {
  return (collection.kind === 'smart' ? listSmart : listManual)(tx, collection, after, limit);
}

/** The members of a manual collection. A cursor is valid until the positions are reassigned. */
async function listManual(
  tx: Tx,
  collection: PlacedCollection,
  after: MemberPosition | null,
  limit: number,
): Promise<PlacedMember[]> {
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
  after: MemberPosition | null,
  limit: number,
): Promise<PlacedMember[]> {
  // The cursor holds what `position` below returned.
  const from = after as ImagePosition | null;
  const found = await listSmartMembers(tx, collection, { after: from, limit });
  return found.map(({ id, position }) => ({
    member: { resource_type: 'image', resource_id: id, position: null, added_at: null },
    position: [position, id],
  }));
}

/**
 * The position that a cursor refers to. If positions were reassigned, its member's current
 * position.
 */
async function positionOf(
  tx: Tx,
  collection: PlacedCollection,
  [epoch, position, type, id]: MemberPosition,
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
