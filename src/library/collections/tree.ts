import { limits } from '../../contracts/limits.ts';
import { notAvailable, Problem, referenceNotFound } from '../../contracts/problems.ts';
import type { CollectionState } from '../../contracts/wire/collections.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';

/**
 * Locks the shape of a project's tree of collections until the transaction ends: whoever moves,
 * trashes, restores or purges a branch changes it alone, and whoever adds a leaf (`leaf`) does so
 * beside others that do. Taken after objects and images, before collections. Nothing is waited for:
 * statements that follow see what the holders before us committed.
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

/** A collection of a branch, and its level there: the top has 1. */
interface BranchNode {
  id: string;
  level: number;
}

/**
 * A collection with all that is below it, as far as it is out of the trash; or, `trashed`, as far as
 * it went into the trash with it.
 */
export async function readBranch(
  tx: Tx,
  projectId: string,
  id: string,
  trashed?: 'trashed',
): Promise<BranchNode[]> {
  const belongs = trashed ? 'c.trashed_with = $2' : `c.state = 'available'`;
  return prepared<BranchNode>(
    tx,
    `WITH RECURSIVE down (id, level) AS (
       SELECT id, 1 FROM collection WHERE project_id = $1 AND id = $2
       UNION ALL
       SELECT c.id, down.level + 1 FROM down
       JOIN collection c ON c.project_id = $1 AND c.parent_id = down.id AND ${belongs})
     SELECT id, level FROM down`,
    [projectId, id],
  );
}

/** How many levels a branch has. */
export function heightOf(branch: readonly BranchNode[]): number {
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
 * Checks that a branch of `height` levels may stand in a parent, with the tree locked.
 * @throws Problem 422 for a parent that is not there, 409 for one in the trash, below the branch
 *   itself (`movingId`), or too deep down
 */
export async function requirePlace(
  tx: Tx,
  projectId: string,
  parentId: string | null,
  branch: { height: number; movingId: string | null },
): Promise<void> {
  if (parentId === null) return;
  const above = await prepared<{ id: string; state: CollectionState }>(
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
  const parent = above.find(({ id }) => id === parentId);
  if (!parent) throw referenceNotFound(pointer, parentId);
  if (above.some(({ id }) => id === branch.movingId)) {
    const detail =
      parentId === branch.movingId
        ? 'A collection cannot be inside itself.'
        : `'${parentId}' stands below '${branch.movingId}', which cannot stand in it too.`;
    throw new Problem('collection_cycle', detail, {
      errors: [{ pointer, code: 'collection_cycle', detail }],
    });
  }
  if (parent.state === 'trashed') throw notAvailable('collection', parent);
  const depth = above.length + branch.height;
  if (depth > limits.collection_nesting) {
    const detail = `Collections may be nested ${limits.collection_nesting} deep; this would make ${depth}.`;
    throw new Problem('collection_cycle', detail, {
      errors: [{ pointer, code: 'too_deep', detail }],
      extra: { limit: limits.collection_nesting },
    });
  }
}

/**
 * Refuses more smart collections out of the trash than there may be; with the tree locked, so that
 * two requests do not both take the last place.
 * @throws Problem 409 `state_conflict`
 */
export async function requireRoomForSmart(tx: Tx, projectId: string, more: number): Promise<void> {
  const most = limits.smart_collections_per_project;
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM collection
     WHERE project_id = $1 AND kind = 'smart' AND state = 'available'`,
    [projectId],
  );
  if ((row?.n ?? 0) + more <= most) return;
  throw new Problem(
    'state_conflict',
    `The project may have ${most} smart collections; delete one first.`,
    { extra: { limit: most } },
  );
}
