import { Problem } from '@scriptorium/contracts/problems';
import type { MemberRecord, MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { Collection } from '../../../entities/library/collection.ts';
import type { CollectionMember } from '../../../entities/library/collection-member.ts';
import { requireNotTrashed } from '../load.ts';

/** A member as statements read it. */
export type Member = Pick<
  CollectionMember,
  'resourceType' | 'resourceId' | 'position' | 'hidden' | 'addedAt'
>;

export const memberColumns = `m.resource_type AS "resourceType", m.resource_id AS "resourceId",
  m.position, m.hidden, m.added_at AS "addedAt"`;

/**
 * The members of a collection, hidden or not, that are among the references, by key. The query takes
 * two parallel lists, since types and identifiers are compared as pairs.
 */
export async function findMembers(
  tx: Tx,
  collection: Collection,
  refs: readonly MemberRef[],
): Promise<Map<string, Member>> {
  if (refs.length === 0) return new Map();
  const found = await prepared<Member>(
    tx,
    `SELECT ${memberColumns} FROM unnest($3::text[], $4::text[]) AS r (type, id)
     JOIN collection_member m ON m.project_id = $1 AND m.collection_id = $2
       AND m.resource_type = r.type AND m.resource_id = r.id`,
    [collection.projectId, collection.id, ...refColumns(refs)],
  );
  return new Map(found.map((member) => [`${member.resourceType} ${member.resourceId}`, member]));
}

/** References as two lists, for `unnest`. */
export function refColumns(refs: readonly MemberRef[]): [types: string[], ids: string[]] {
  return [refs.map((ref) => ref.resource_type), refs.map((ref) => ref.resource_id)];
}

/**
 * Requires a collection whose members can be changed: not in the trash, and not smart.
 * @throws Problem 409 `state_conflict`
 */
export function requireManual(collection: Collection): void {
  requireNotTrashed(collection);
  if (collection.kind === 'manual') return;
  throw new Problem(
    'state_conflict',
    `The query of '${collection.id}' selects its members. Change the query instead.`,
  );
}

/** The problem for a resource in the path that is not a member of the collection. */
export function memberNotFound(collectionId: string, resourceId: string): Problem {
  return new Problem('member_not_found', `'${resourceId}' is not a member of '${collectionId}'.`);
}

/** A member as the API shows it. */
export function presentMember(member: Member): MemberRecord {
  return {
    resource_type: member.resourceType,
    resource_id: member.resourceId,
    position: member.position,
    added_at: member.addedAt.toISOString(),
  };
}
