import type { Origin } from '@scriptorium/contracts/origin';
import { referenceNotFound, validationFailed } from '@scriptorium/contracts/problems';
import type { MemberMove, MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { sendUpdate } from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { Collection } from '../../../entities/library/collection.ts';
import { record } from '../../../outbox/record.ts';
import { lockCollection, type Recheck } from '../load.ts';
import { updateMemberCount } from './change.ts';
import { findMembers, type Member, memberNotFound, requireManual } from './load.ts';
import { maxPositionLength, positionBetween, positionsWithin } from './position.ts';
import { memberKey } from './references.ts';

/**
 * Moves a member directly before or after another one. Only its row is written, unless the positions
 * there have become too long. A member that is already there is left unchanged.
 * @throws Problem 404 `member_not_found`, 422 if the neighbour is not another member, 409 for a
 *   smart or trashed collection
 */
export async function moveMember(
  tx: Tx,
  origin: Origin,
  collectionId: string,
  ref: MemberRef,
  move: MemberMove,
  recheck: Recheck,
): Promise<Member> {
  const { side, anchorRef } = parseMove(move, ref);
  const collection = await lockCollection(tx, origin.projectId, collectionId, recheck);
  requireManual(collection);
  const findBoth = async () => {
    const found = await findMembers(tx, collection, [ref, anchorRef]);
    return { member: found.get(memberKey(ref)), anchor: found.get(memberKey(anchorRef)) };
  };
  let { member, anchor } = await findBoth();
  if (!member) throw memberNotFound(collectionId, ref.resource_id);
  if (!anchor) {
    const { resource_id: id } = anchorRef;
    const detail = `'${id}' is not a member of this collection.`;
    throw referenceNotFound(`/${side}/resource_id`, id, detail);
  }
  let newPosition = await positionBeside(tx, collection, anchor, side, member);
  if (newPosition === null) return member;
  if (newPosition.length > maxPositionLength) {
    await respaceMembers(tx, collection, anchor.position);
    ({ member, anchor } = await findBoth());
    newPosition = (await positionBeside(tx, collection, anchor!, side, member!))!;
  }
  send(
    tx,
    `UPDATE collection_member SET position = $5
     WHERE project_id = $1 AND collection_id = $2 AND resource_type = $3 AND resource_id = $4`,
    [collection.projectId, collection.id, ref.resource_type, ref.resource_id, newPosition],
  );
  updateMemberCount(tx, collection, 0);
  await record(tx, origin, {
    type: 'dam.collection_member.reordered',
    resourceId: collection.id,
    data: { ...ref },
  });
  return { ...member!, position: newPosition };
}

function parseMove(move: MemberMove, ref: MemberRef) {
  const { before, after } = move;
  const anchorRef = before ?? after;
  if (!anchorRef || (before && after)) {
    const detail = 'Send exactly one of `before` and `after`.';
    throw validationFailed([{ pointer: '/after', code: 'conflicting_field', detail }]);
  }
  const side = before ? ('before' as const) : ('after' as const);
  if (memberKey(anchorRef) === memberKey(ref)) {
    const detail = 'A member cannot be placed next to itself.';
    throw validationFailed([{ pointer: `/${side}`, code: 'conflicting_member', detail }]);
  }
  return { side, anchorRef };
}

/** The new position beside another member; null if the member is already there. */
async function positionBeside(
  tx: Tx,
  collection: Collection,
  anchor: Member,
  side: 'before' | 'after',
  member: Member,
): Promise<string | null> {
  // Hidden members keep their positions, so the neighbour may be hidden.
  const nearestSql =
    side === 'before'
      ? `SELECT max(position) AS position FROM collection_member WHERE project_id = $1
           AND collection_id = $2 AND position < $3 AND position <> $4 AND hidden =`
      : `SELECT min(position) AS position FROM collection_member WHERE project_id = $1
           AND collection_id = $2 AND position > $3 AND position <> $4 AND hidden =`;
  const aggregate = side === 'before' ? 'max' : 'min';
  const [row] = await prepared<{ position: string | null }>(
    tx,
    `SELECT ${aggregate}(position) AS position FROM (${nearestSql} false UNION ALL ${nearestSql} true) n`,
    [collection.projectId, collection.id, anchor.position, member.position],
  );
  const neighbour = row?.position ?? null;
  const [low, high] =
    side === 'before' ? [neighbour, anchor.position] : [anchor.position, neighbour];
  const isInPlace =
    (low === null || low < member.position) && (high === null || member.position < high);
  return isInPlace ? null : positionBetween(low, high);
}

/**
 * Reassigns the positions of members around a position, in the same order, for as many members as needed
 * to make the positions short again. Earlier cursors then look up their member.
 */
async function respaceMembers(tx: Tx, collection: Collection, centre: string): Promise<void> {
  for (let radius = 64; ; radius *= 8) {
    const members = await membersAround(tx, collection, centre, radius);
    const atOrBefore = members.filter(({ position }) => position <= centre).length;
    // If there are no more members on a side, that end is open; otherwise the outermost member
    // keeps its position.
    const start = atOrBefore > radius ? members.shift()!.position : null;
    const end =
      members.length + Number(start !== null) - atOrBefore > radius
        ? members.pop()!.position
        : null;
    const positions = positionsWithin(start, end, members.length);
    const areShort = positions.every((position) => position.length <= maxPositionLength / 2);
    if (!areShort && (start !== null || end !== null)) continue;
    send(
      tx,
      `UPDATE collection_member m SET position = r.position
       FROM unnest($3::text[], $4::text[], $5::text[]) AS r (type, id, position)
       WHERE m.project_id = $1 AND m.collection_id = $2
         AND m.resource_type = r.type AND m.resource_id = r.id`,
      [
        collection.projectId,
        collection.id,
        members.map(({ type }) => type),
        members.map(({ id }) => id),
        positions,
      ],
    );
    const key = { projectId: collection.projectId, id: collection.id };
    sendUpdate(tx, Collection, key, { orderEpoch: () => 'order_epoch + 1' });
    return;
  }
}

/**
 * At most `reach` + 1 members at or before a position, and as many after it, hidden ones included.
 */
function membersAround(
  tx: Tx,
  collection: Collection,
  centre: string,
  radius: number,
): Promise<{ type: string; id: string; position: string }[]> {
  const sideSql = (condition: string, order: string): string => {
    const part = (hidden: boolean): string =>
      `(SELECT resource_type AS type, resource_id AS id, position FROM collection_member
        WHERE project_id = $1 AND collection_id = $2 AND hidden = ${hidden} AND ${condition}
        ORDER BY ${order} LIMIT $4)`;
    return `(SELECT * FROM (${part(false)} UNION ALL ${part(true)}) side ORDER BY ${order} LIMIT $4)`;
  };
  return prepared(
    tx,
    `${sideSql('position <= $3', 'position DESC')} UNION ALL ${sideSql('position > $3', 'position')}
     ORDER BY position`,
    [collection.projectId, collection.id, centre, radius + 1],
  );
}
