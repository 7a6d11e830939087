import { notAvailable, notFound } from '@scriptorium/contracts/problems';
import type { CollectionRecord } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Collection } from '../../entities/library/collection.ts';

/** A collection with its path, from the root down to itself. */
export interface CollectionWithPath extends Collection {
  path: { id: string; name: string }[];
}

/** The columns of `collection c` under the names of `CollectionWithPath`. */
export const collectionColumns = `c.project_id AS "projectId", c.id, c.state, c.name, c.description,
  c.kind, c.query, c.parent_id AS "parentId", c.cover_image_id AS "coverImageId",
  c.cover_hidden AS "coverHidden", c.tags, c.metadata, c.member_count AS "memberCount",
  c.order_epoch AS "orderEpoch", c.trashed_at AS "trashedAt", c.trashed_with AS "trashedWith",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.version,
  (WITH RECURSIVE up (id, name, parent_id, height) AS (
      SELECT c.id, c.name, c.parent_id, 0
      UNION ALL
      SELECT p.id, p.name, p.parent_id, up.height + 1 FROM up
      JOIN collection p ON p.project_id = c.project_id AND p.id = up.parent_id)
    SELECT jsonb_agg(jsonb_build_object('id', up.id, 'name', up.name) ORDER BY up.height DESC)
    FROM up) AS path`;

/** A collection of a project, in the trash or not, or null. */
export async function findCollection(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<CollectionWithPath | null> {
  const [collection] = await prepared<CollectionWithPath>(
    tx,
    `SELECT ${collectionColumns} FROM collection c WHERE c.project_id = $1 AND c.id = $2`,
    [projectId, id],
  );
  return collection ?? null;
}

/** Checks that a change is still allowed once the collection is locked; throws if not. */
export type Recheck = (collection: CollectionWithPath) => void;

/**
 * Locks a collection until the transaction ends, to change it or its members. Lock objects, images and
 * the tree first, and several collections in the order of identifiers.
 * @throws Problem 404 if the collection does not exist, and the errors of `recheck`
 */
export async function lockCollection(
  tx: Tx,
  projectId: string,
  id: string,
  recheck: Recheck,
): Promise<CollectionWithPath> {
  // The key does not change, so rows that reference it need not wait.
  const [collection] = await prepared<CollectionWithPath>(
    tx,
    `SELECT ${collectionColumns} FROM collection c
     WHERE c.project_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF c`,
    [projectId, id],
  );
  if (!collection) throw notFound('collection', id);
  recheck(collection);
  return collection;
}

/**
 * Requires that a collection is not in the trash.
 * @throws Problem 409 `state_conflict`
 */
export function requireNotTrashed(collection: Collection): void {
  if (collection.state !== 'available') throw notAvailable('collection', collection);
}

/**
 * A collection as the API shows it. For a smart collection, `member_count` is null unless the caller
 * passes it.
 */
export function presentCollection(
  collection: CollectionWithPath,
  memberCount: number | null = collection.kind === 'smart' ? null : collection.memberCount,
): CollectionRecord {
  return {
    id: collection.id,
    project_id: collection.projectId,
    state: collection.state,
    name: collection.name,
    description: collection.description,
    kind: collection.kind,
    query: collection.query,
    parent_id: collection.parentId,
    path: collection.path,
    cover: collection.coverHidden ? null : collection.coverImageId,
    tags: collection.tags,
    metadata: collection.metadata,
    member_count: memberCount,
    created_at: collection.createdAt.toISOString(),
    updated_at: collection.updatedAt.toISOString(),
    version: collection.version,
  };
}
