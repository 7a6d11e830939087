import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { Collection } from '../../../entities/library/collection.ts';
import { type Member, memberColumns } from './load.ts';

/** Visible members of a manual collection in order, at most `limit`, after a position. */
export async function listManualMembers(
  tx: Tx,
  collection: Collection,
  page: { after: string | null; limit: number },
): Promise<Member[]> {
  // The first page and later pages have one SQL text each; both are planned as an index scan.
  const from = page.after === null ? '' : 'AND m.position > $4';
  return prepared<Member>(
    tx,
    `SELECT ${memberColumns} FROM collection_member m
     WHERE m.project_id = $1 AND m.collection_id = $2 AND m.hidden = false ${from}
     ORDER BY m.position LIMIT $3`,
    [collection.projectId, collection.id, page.limit, ...(page.after === null ? [] : [page.after])],
  );
}

/** Finds a visible member, or returns null. */
export async function findMember(
  tx: Tx,
  collection: Collection,
  ref: MemberRef,
): Promise<Member | null> {
  const [member] = await prepared<Member>(
    tx,
    `SELECT ${memberColumns} FROM collection_member m
     WHERE m.project_id = $1 AND m.collection_id = $2 AND m.resource_type = $3
       AND m.resource_id = $4 AND m.hidden = false`,
    [collection.projectId, collection.id, ref.resource_type, ref.resource_id],
  );
  return member ?? null;
}
