import { Problem } from '@scriptorium/contracts/problems';
import type { ListedMember } from '@scriptorium/contracts/wire/library/collections';
import type { Tx } from '../../../db/transaction.ts';
import type { ImagePosition } from '../../images/search/search.ts';
import type { CollectionWithPath } from '../load.ts';
import { listSmartMembers } from '../smart.ts';
import { findMember, listManualMembers } from './list.ts';
import { presentMember } from './load.ts';
import { parseMemberRef } from './references.ts';

export type MemberPosition = (string | number | null)[];

/** A listed member, and the cursor position after it. */
export interface PositionedMember {
  member: ListedMember;
  position: MemberPosition;
}

/**
 * Visible members of a collection in order, at most `limit`, after a position.
 * @throws Problem 410 `cursor_expired` if the order was rewritten and the member at the position was removed
 */
export function listPositionedMembers(
  tx: Tx,
  collection: CollectionWithPath,
  after: MemberPosition | null,
  limit: number,
): Promise<PositionedMember[]> {
  return (collection.kind === 'smart' ? listSmart : listManual)(tx, collection, after, limit);
}

/** The members of a manual collection. A cursor is valid until the positions are reassigned. */
async function listManual(
  tx: Tx,
  collection: CollectionWithPath,
  after: MemberPosition | null,
  limit: number,
): Promise<PositionedMember[]> {
  const afterPosition = after && (await positionOf(tx, collection, after));
  const members = await listManualMembers(tx, collection, { after: afterPosition, limit });
  return members.map((member) => ({
    member: presentMember(member),
    position: [collection.orderEpoch, member.position, member.resourceType, member.resourceId],
  }));
}

/** The images that match the query of a smart collection. */
async function listSmart(
  tx: Tx,
  collection: CollectionWithPath,
  after: MemberPosition | null,
  limit: number,
): Promise<PositionedMember[]> {
  // The cursor holds what `position` below returned.
  const afterPosition = after as ImagePosition | null;
  const found = await listSmartMembers(tx, collection, { after: afterPosition, limit });
  return found.map(({ id, position }) => ({
    member: { resource_type: 'image', resource_id: id, position: null, added_at: null },
    position: [position, id],
  }));
}

/**
 * The position that a cursor refers to: if positions were reassigned, the current position of its
 * member.
 */
async function positionOf(
  tx: Tx,
  collection: CollectionWithPath,
  [epoch, position, type, id]: MemberPosition,
): Promise<string> {
  if (epoch === collection.orderEpoch) return String(position);
  const ref = parseMemberRef(String(type), String(id));
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
