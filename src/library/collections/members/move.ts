import type { Origin } from '../../../contracts/origin.ts';
import { invalid, referenceNotFound } from '../../../contracts/problems.ts';
import type { MemberMove, MemberRef } from '../../../contracts/wire/collections.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import type { Collection } from '../../../entities/collection.ts';
import { record } from '../../../outbox/record.ts';
import { lockCollection, type Recheck } from '../load.ts';
import { noteMembersChanged } from './change.ts';
import { findMembers, type Member, memberNotFound, requireManual } from './load.ts';
import { longestPosition, positionBetween } from './position.ts';
import { memberKey } from './references.ts';

/**
 * Puts a member directly before or after another one; its row is the only one written, unless the
 * positions there have grown too long. One that stands there already stays as it is.
 * @throws Problem 404 `member_not_found`, 422 for a neighbour that is no member or the member itself,
 *   409 for a smart or trashed collection
 */
export async function moveMember(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  ref: MemberRef,
  move: MemberMove,
  recheck: Recheck,
): Promise<Member> {
  const { side, anchorRef } = readMove(move, ref);
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const find = async () => {
    const found = await findMembers(tx, collection, [ref, anchorRef]);
    return { member: found.get(memberKey(ref)), anchor: found.get(memberKey(anchorRef)) };
  };
  let { member, anchor } = await find();
  if (!member) throw memberNotFound(collectionId, ref.resource_id);
  if (!anchor) throw referenceNotFound(`/${side}/resource_id`, anchorRef.resource_id);
  let place = await placeBeside(tx, collection, anchor, side, member);
  if (place === null) return member;
  if (place.length > longestPosition) {
    spreadMembers(tx, collection);
    ({ member, anchor } = await find());
    place = (await placeBeside(tx, collection, anchor!, side, member!))!;
  }
  send(
    tx,
    `UPDATE collection_member SET position = $5
     WHERE project_id = $1 AND collection_id = $2 AND resource_type = $3 AND resource_id = $4`,
    [collection.projectId, collection.id, ref.resource_type, ref.resource_id, place],
  );
  noteMembersChanged(tx, collection, 0);
  await record(tx, origin, {
    type: 'dam.collection_member.reordered',
    resourceId: collection.id,
    data: { ...ref },
  });
  return { ...member!, position: place };
}

function readMove(move: MemberMove, ref: MemberRef) {
  const { before, after } = move;
  const anchorRef = before ?? after;
  if (!anchorRef || (before && after)) {
    const detail = 'Say either before which member it is to stand, or after which.';
    throw invalid([{ pointer: '/after', code: 'conflicting_field', detail }]);
  }
  const side = before ? ('before' as const) : ('after' as const);
  if (memberKey(anchorRef) === memberKey(ref)) {
    const detail = 'A member cannot stand next to itself.';
    throw invalid([{ pointer: `/${side}`, code: 'conflicting_member', detail }]);
  }
  return { side, anchorRef };
}

/** The position beside another member; null when the member is the next one there already. */
async function placeBeside(
  tx: Tx,
  collection: Collection,
  anchor: Member,
  side: 'before' | 'after',
  member: Member,
): Promise<string | null> {
  // Hidden members keep their places, so the neighbour may be one.
  const nearest =
    side === 'before'
      ? `SELECT max(position) AS position FROM collection_member WHERE project_id = $1
           AND collection_id = $2 AND position < $3 AND position <> $4 AND hidden =`
      : `SELECT min(position) AS position FROM collection_member WHERE project_id = $1
           AND collection_id = $2 AND position > $3 AND position <> $4 AND hidden =`;
  const pick = side === 'before' ? 'max' : 'min';
  const [row] = await prepared<{ position: string | null }>(
    tx,
    `SELECT ${pick}(position) AS position FROM (${nearest} false UNION ALL ${nearest} true) n`,
    [collection.projectId, collection.id, anchor.position, member.position],
  );
  const neighbour = row?.position ?? null;
  const [low, high] =
    side === 'before' ? [neighbour, anchor.position] : [anchor.position, neighbour];
  const stands =
    (low === null || low < member.position) && (high === null || member.position < high);
  return stands ? null : positionBetween(low, high);
}

/**
 * Gives all members of a collection, which is locked, new positions in the order they have: whole
 * numbers of seven characters. Cursors given away before end with it.
 */
function spreadMembers(tx: Tx, collection: Collection): void {
  send(
    tx,
    `UPDATE collection_member m SET position = 'f' || lpad(r.number::text, 6, '0')
     FROM (SELECT resource_type, resource_id, row_number() OVER (ORDER BY position) AS number
       FROM collection_member WHERE project_id = $1 AND collection_id = $2) r
     WHERE m.project_id = $1 AND m.collection_id = $2
       AND m.resource_type = r.resource_type AND m.resource_id = r.resource_id`,
    [collection.projectId, collection.id],
  );
  send(
    tx,
    'UPDATE collection SET order_epoch = order_epoch + 1 WHERE project_id = $1 AND id = $2',
    [collection.projectId, collection.id],
  );
}
