import { trashSeconds } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { Any } from 'typeorm';
import { nextVersion, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Collection } from '../../entities/library/collection.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { type CollectionWithPath, findCollection, lockCollection, type Recheck } from './load.ts';
import {
  branchHeight,
  lockCollections,
  lockTree,
  readBranch,
  rejectTooManySmart,
  requireValidParent,
} from './tree.ts';

const versionChange = { updatedAt: transactionTime, version: nextVersion };

/**
 * Moves a collection and everything below it to the trash and schedules their purge. Their members
 * are not affected. A collection that is already there keeps its expiry.
 */
export async function trashCollection(
  tx: Tx,
  origin: Origin,
  id: string,
  recheck: Recheck,
): Promise<void> {
  const { projectId } = origin;
  lockTree(tx, projectId);
  const branchIds = (await readBranch(tx, projectId, id)).map((node) => node.id);
  lockCollections(tx, projectId, branchIds);
  const collection = await lockCollection(tx, projectId, id, recheck);
  if (collection.state === 'trashed') return;
  sendUpdate(
    tx,
    Collection,
    { projectId, id: Any(branchIds) },
    { state: 'trashed', trashedAt: transactionTime, trashedWith: id, ...versionChange },
  );
  await recordEach(tx, origin, 'dam.collection.trashed', branchIds);
  // A restore does not remove the task, which then finds the collection outside the trash, or not
  // expired yet.
  await schedule(tx, projectId, id, {
    kind: 'collection.purge',
    payload: { collection_id: id },
    dueInSeconds: trashSeconds,
  });
}

/**
 * Restores a collection from the trash, with everything that was trashed with it.
 * @throws Problem 409 if it is not in the trash, its parent is, or a limit would be exceeded
 */
export async function restoreCollection(
  tx: Tx,
  origin: Origin,
  id: string,
  recheck: Recheck,
): Promise<CollectionWithPath> {
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
      `The collection '${id}' was trashed with '${collection.trashedWith}'. Restore that instead.`,
    );
  }
  await requireValidParent(tx, projectId, collection.parentId, {
    height: branchHeight(branch),
    movingId: null,
  });
  const where = { projectId, id: Any(ids) };
  const restoredFields = {
    state: 'available',
    trashedAt: null,
    trashedWith: null,
    ...versionChange,
  } as const;
  sendUpdate(tx, Collection, where, restoredFields);
  // The count includes the restored ones.
  if (await tx.existsBy(Collection, { ...where, kind: 'smart' })) {
    await rejectTooManySmart(tx, projectId, 0);
  }
  await recordEach(tx, origin, 'dam.collection.restored', ids);
  return (await findCollection(tx, projectId, id))!;
}

/** Records the same event for each collection of a branch, starting at the top. */
export async function recordEach(
  tx: Tx,
  origin: Origin,
  type: `dam.collection.${'trashed' | 'restored' | 'purged'}`,
  ids: readonly string[],
): Promise<void> {
  await record(tx, origin, ...ids.map((id) => ({ type, resourceId: id, data: {} })));
}
