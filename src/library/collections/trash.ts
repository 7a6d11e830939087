import { trashSeconds } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { Problem } from '../../contracts/problems.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { findCollection, lockCollection, type PlacedCollection, type Recheck } from './load.ts';
import {
  heightOf,
  lockCollections,
  lockTree,
  readBranch,
  requirePlace,
  requireRoomForSmart,
} from './tree.ts';

/**
 * Puts a collection and all that is below it into the trash and schedules their end. What they hold
 * is not touched. One that is there already stays as it is: its time goes on.
 */
export async function trashCollection(
  tx: Tx,
  origin: Origin,
  id: string,
  recheck: Recheck,
): Promise<void> {
  const { projectId } = origin;
  lockTree(tx, projectId);
  const branch = (await readBranch(tx, projectId, id)).map((node) => node.id);
  lockCollections(tx, projectId, branch);
  const collection = await lockCollection(tx, projectId, id, recheck);
  if (collection.state === 'trashed') return;
  await prepared(
    tx,
    `UPDATE collection SET state = 'trashed', trashed_at = now(), trashed_with = $3,
       updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = ANY($2)`,
    [projectId, branch, id],
  );
  await recordEach(tx, origin, 'dam.collection.trashed', branch);
  // A restore leaves the task: it finds nothing in the trash, or there for too short a time.
  await schedule(tx, projectId, id, {
    kind: 'collection.purge',
    payload: { collection_id: id },
    dueInSeconds: trashSeconds,
  });
}

/**
 * Brings a collection back from the trash, with all that went there with it.
 * @throws Problem 409 for one that is not there, whose parent is there, or that has no place any more
 */
export async function restoreCollection(
  tx: Tx,
  origin: Origin,
  id: string,
  recheck: Recheck,
): Promise<PlacedCollection> {
  const { projectId } = origin;
  lockTree(tx, projectId);
  const branch = await readBranch(tx, projectId, id, 'trashed');
  const ids = branch.map((node) => node.id);
  lockCollections(tx, projectId, ids);
  const collection = await lockCollection(tx, projectId, id, recheck);
  if (collection.state !== 'trashed') {
    throw new Problem('state_conflict', `The collection '${id}' is not in the trash.`);
  }
  if (collection.trashedWith !== id) {
    throw new Problem(
      'state_conflict',
      `The collection '${id}' went to the trash with '${collection.trashedWith}'. Restore that.`,
    );
  }
  await requirePlace(tx, projectId, collection.parentId, {
    height: heightOf(branch),
    movingId: null,
  });
  const restored = await prepared<{ id: string; kind: string }>(
    tx,
    `UPDATE collection SET state = 'available', trashed_at = NULL, trashed_with = NULL,
       updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = ANY($2) RETURNING id, kind`,
    [projectId, ids],
  );
  // Those that are back are among the counted.
  if (restored.some(({ kind }) => kind === 'smart')) await requireRoomForSmart(tx, projectId, 0);
  await recordEach(tx, origin, 'dam.collection.restored', ids);
  return (await findCollection(tx, projectId, id))!;
}

/** Records the same event about each of a branch, the top first. */
export async function recordEach(
  tx: Tx,
  origin: Origin,
  type: `dam.collection.${'trashed' | 'restored' | 'purged'}`,
  ids: readonly string[],
): Promise<void> {
  await record(tx, origin, ...ids.map((id) => ({ type, resourceId: id, data: {} })));
}
