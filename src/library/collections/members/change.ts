import type { NewEvent } from '@scriptorium/contracts/events';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import type { Collection } from '../../../entities/library/collection.ts';
import { record } from '../../../outbox/record.ts';
import { holdObjects, lockScopes } from '../../../policies/facts/holds.ts';
import { type Member, memberColumns, refColumns } from './load.ts';
import { positionsAfter } from './position.ts';

/**
 * Appends resources, which are locked, to a collection, which is locked and contains none of them.
 * @throws Problem 409 `state_conflict` if it would have too many
 */
export async function insertMembers(
  tx: Tx,
  origin: Origin,
  collection: Collection,
  refs: readonly MemberRef[],
): Promise<Member[]> {
  if (refs.length === 0) return [];
  const max = limits.members_per_collection;
  if (collection.memberCount + refs.length > max) {
    throw new Problem(
      'state_conflict',
      `A collection can have at most ${pluralise(max, 'member')}; this one has ${collection.memberCount.toLocaleString('en')}.`,
      { extra: { limit: max } },
    );
  }
  lockScopes(tx, collection.projectId, 'shared');
  const positions = positionsAfter(await lastPosition(tx, collection), refs.length);
  const members = await prepared<Member>(
    tx,
    `INSERT INTO collection_member AS m (project_id, collection_id, resource_type, resource_id, position)
     SELECT $1, $2, r.type, r.id, r.position
     FROM unnest($3::text[], $4::text[], $5::text[]) AS r (type, id, position)
     RETURNING ${memberColumns}`,
    [collection.projectId, collection.id, ...refColumns(refs), positions],
  );
  await holdAddedObjects(tx, collection, refs);
  await record(
    tx,
    origin,
    ...refs.map((ref): NewEvent => {
      return { type: 'dam.collection_member.added', resourceId: collection.id, data: { ...ref } };
    }),
  );
  return members;
}

/** Adds the legal holds and retentions that objects get from the collection, and keep after they leave. */
async function holdAddedObjects(
  tx: Tx,
  { projectId }: Collection,
  refs: readonly MemberRef[],
): Promise<void> {
  const [types, ids] = refColumns(refs);
  const objects = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM unnest($2::text[], $3::text[]) AS r (type, id) WHERE type = 'object'
     UNION
     SELECT object_id FROM image WHERE project_id = $1 AND id = ANY($3::text[])`,
    [projectId, types, ids],
  );
  await holdObjects(
    tx,
    projectId,
    objects.map(({ id }) => id),
  );
}

/** Removes members, including hidden ones, from a locked collection; returns the removed ones. */
export async function deleteMembers(
  tx: Tx,
  origin: Origin,
  collection: Collection,
  refs: readonly MemberRef[],
): Promise<Member[]> {
  if (refs.length === 0) return [];
  const members = await prepared<Member>(
    tx,
    `DELETE FROM collection_member m USING unnest($3::text[], $4::text[]) AS r (type, id)
     WHERE m.project_id = $1 AND m.collection_id = $2
       AND m.resource_type = r.type AND m.resource_id = r.id
     RETURNING ${memberColumns}`,
    [collection.projectId, collection.id, ...refColumns(refs)],
  );
  if (members.length === 0) return [];
  await record(
    tx,
    origin,
    ...members.map(
      ({ resourceType, resourceId }): NewEvent => ({
        type: 'dam.collection_member.removed',
        resourceId: collection.id,
        data: { resource_type: resourceType, resource_id: resourceId, reason: 'removed' },
      }),
    ),
  );
  return members;
}

/**
 * Stores the new count and version of a locked collection after its members changed.
 * @param rise 1 to increase the version; 0 when the collection is created with members
 */
export function updateMemberCount(
  tx: Tx,
  collection: Collection,
  countChange: number,
  { rise }: { rise: 0 | 1 } = { rise: 1 },
): void {
  send(
    tx,
    `UPDATE collection SET member_count = member_count + $3, updated_at = now(),
       version = version + $4
     WHERE project_id = $1 AND id = $2`,
    [collection.projectId, collection.id, countChange, rise],
  );
}

/** The last position in use, including hidden members; null for an empty collection. */
async function lastPosition(tx: Tx, collection: Collection): Promise<string | null> {
  const [row] = await prepared<{ last: string | null }>(
    tx,
    `SELECT greatest(
       (SELECT max(position) FROM collection_member
        WHERE project_id = $1 AND collection_id = $2 AND hidden = false),
       (SELECT max(position) FROM collection_member
        WHERE project_id = $1 AND collection_id = $2 AND hidden = true)) AS last`,
    [collection.projectId, collection.id],
  );
  return row?.last ?? null;
}
