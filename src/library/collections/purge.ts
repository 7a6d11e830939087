import { systemOrigin } from '@scriptorium/contracts/origin';
import { Any, Not } from 'typeorm';
import { nextVersion, sendDelete, sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import { Collection } from '../../entities/library/collection.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { recordEach } from './trash.ts';
import { lockExpired, lockTree } from './tree.ts';

/**
 * Purges a collection whose time in the trash has expired, with the collections that were trashed
 * with it; their members are not affected. A collection that was restored meanwhile is left
 * unchanged.
 */
export async function purgeCollection(
  _deps: object,
  run: TaskRun<'collection.purge'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async (tx) => {
      lockTree(tx, projectId);
      return lockExpired(tx, projectId, payload.collection_id);
    },
    async (tx, ids) => {
      if (ids.length === 0) return;
      sendUpdate(
        tx,
        Collection,
        { projectId, parentId: Any(ids), id: Not(Any(ids)) },
        { parentId: null, updatedAt: transactionTime, version: nextVersion },
      );
      sendDelete(tx, Collection, { projectId, id: Any(ids) });
      await recordEach(tx, systemOrigin(projectId), 'dam.collection.purged', ids);
    },
  );
}
