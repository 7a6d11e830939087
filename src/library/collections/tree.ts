import { limits } from '@scriptorium/contracts/limits';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { notAvailable, Problem, referenceNotFound } from '@scriptorium/contracts/problems';
import type { CollectionState } from '@scriptorium/contracts/wire/library/collections';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';

/**
 * Locks the structure of a project's tree of collections until the transaction ends: exclusively to
 * move, trash, restore or purge a branch, shared to add a leaf (`leaf`). Lock objects and images before
 * it, and collections after it. The result is not awaited: later statements see the commits of previous
 * holders.
 */
export function lockTree(tx: Tx, projectId: string, leaf?: 'leaf'): void {
  send(
    tx,
    leaf
      ? `SELECT pg_advisory_xact_lock_shared(hashtextextended('collections ' || $1, 0))`
      : `SELECT pg_advisory_xact_lock(hashtextextended('collections ' || $1, 0))`,
    [projectId],
  );
}

/** A collection of a branch, and its level there; the top has level 1. */
interface BranchNode {
  id: string;
  level: number;
}

/**
 * A collection with everything below it that is outside the trash or, with `trashed`, that was
 * trashed with it.
 */
export async function readBranch(
  tx: Tx,
  projectId: string,
  id: string,
  trashed?: 'trashed',
): Promise<BranchNode[]> {
  const branchCondition = trashed ? 'c.trashed_with = $2' : `c.state = 'available'`;
  return prepared<BranchNode>(
    tx,
    `WITH RECURSIVE down (id, level) AS (
       SELECT id, 1 FROM collection WHERE project_id = $1 AND id = $2
       UNION ALL
       SELECT c.id, down.level + 1 FROM down
       JOIN collection c ON c.project_id = $1 AND c.parent_id = down.id AND ${branchCondition})
     SELECT id, level FROM down`,
    [projectId, id],
  );
}

/** The number of levels of a branch. */
export function branchHeight(branch: readonly BranchNode[]): number {
  return branch.reduce((height, { level }) => Math.max(height, level), 0);
}

/** Locks collections, by identifier, until the transaction ends. */
export function lockCollections(tx: Tx, projectId: string, ids: readonly string[]): void {
  send(
    tx,
    `SELECT count(*) FROM (
       SELECT 1 FROM collection WHERE project_id = $1 AND id = ANY($2)
       ORDER BY id FOR NO KEY UPDATE) locked`,
    [projectId, ids],
  );
}

/**
 * Locks the collections that were trashed with a collection, and their children. Children that were
 * trashed separately lose their parent in the purge, so they are locked too.
 * @returns those whose time in the trash has expired
 */
export async function lockExpired(tx: Tx, projectId: string, id: string): Promise<string[]> {
  const locked = await prepared<{ id: string; ends: boolean }>(
    tx,
    `SELECT id, trashed_with IS NOT DISTINCT FROM $2
       AND trashed_at <= now() - interval '${limits.trash_days} days' AS ends
     FROM collection
     WHERE project_id = $1 AND (trashed_with = $2 OR parent_id IN (
       SELECT id FROM collection WHERE project_id = $1 AND trashed_with = $2))
     ORDER BY id FOR UPDATE`,
    [projectId, id],
  );
  return locked.filter(({ ends }) => ends).map((one) => one.id);
}

/**
 * Checks that a branch of `height` levels can be in a parent. The tree must be locked.
 * @throws Problem 422 for an unknown parent, 409 for one in the trash, inside the branch itself
 *   (`movingId`), or at too deep a level
 */
export async function requireValidParent(
  tx: Tx,
  projectId: string,
  parentId: string | null,
  branch: { height: number; movingId: string | null },
): Promise<void> {
  if (parentId === null) return;
  const ancestors = await prepared<{ id: string; state: CollectionState }>(
    tx,
    `WITH RECURSIVE up (id, state, parent_id) AS (
       SELECT id, state, parent_id FROM collection WHERE project_id = $1 AND id = $2
       UNION ALL
       SELECT p.id, p.state, p.parent_id FROM up
       JOIN collection p ON p.project_id = $1 AND p.id = up.parent_id)
     SELECT id, state FROM up`,
    [projectId, parentId],
  );
  const pointer = '/parent_id';
  const parent = ancestors.find(({ id }) => id === parentId);
  if (!parent) throw referenceNotFound(pointer, parentId);
  if (ancestors.some(({ id }) => id === branch.movingId)) {
    const detail =
      parentId === branch.movingId
        ? 'A collection cannot be inside itself.'
        : `'${parentId}' is inside '${branch.movingId}', so it cannot contain it.`;
    throw new Problem('collection_cycle', detail, {
      errors: [{ pointer, code: 'collection_cycle', detail }],
    });
  }
  if (parent.state === 'trashed') throw notAvailable('collection', parent);
  const depth = ancestors.length + branch.height;
  if (depth > limits.collection_nesting) {
    const detail = `Collections can be nested at most ${limits.collection_nesting} deep; this would be ${depth}.`;
    throw new Problem('collection_cycle', detail, {
      errors: [{ pointer, code: 'too_deep', detail }],
      extra: { limit: limits.collection_nesting },
    });
  }
}

/**
 * Rejects more smart collections outside the trash than the limit. Call it with the tree locked, so that
 * two requests cannot both add the last one.
 * @throws Problem 409 `state_conflict`
 */
export async function rejectTooManySmart(tx: Tx, projectId: string, added: number): Promise<void> {
  const max = limits.smart_collections_per_project;
  const existing = await tx.countBy(Collection, { projectId, kind: 'smart', state: 'available' });
  if (existing + added <= max) return;
  throw new Problem(
    'state_conflict',
    `The project already has ${pluralise(max, 'smart collection')}, the maximum. Delete one first.`,
    { extra: { limit: max } },
  );
}
