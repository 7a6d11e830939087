import { limits } from '../../contracts/limits.ts';
import { systemOrigin } from '../../contracts/origin.ts';
import { prepared } from '../../db/transaction.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { recordEach } from './trash.ts';
import { lockTree } from './tree.ts';

/**
 * Purges a collection whose time in the trash has expired, with what was trashed with it; their
 * members are not affected. One that was restored meanwhile is left alone.
 */
export async function purgeCollection(
  _deps: object,
  run: TaskRun<'collection.purge'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  const key = [projectId, payload.collection_id];
  await run.finish(
    async (tx) => {
      lockTree(tx, projectId);
      // Collections below it that were trashed separately lose their parent, which is a change too.
      const locked = await prepared<{ id: string; ends: boolean }>(
        tx,
        `SELECT id, trashed_with IS NOT DISTINCT FROM $2
           AND trashed_at <= now() - interval '${limits.trash_days} days' AS ends
         FROM collection
         WHERE project_id = $1 AND (trashed_with = $2 OR parent_id IN (
           SELECT id FROM collection WHERE project_id = $1 AND trashed_with = $2))
         ORDER BY id FOR UPDATE`,
        key,
      );
      return locked.filter(({ ends }) => ends).map(({ id }) => id);
    },
    async (tx, ids) => {
      if (ids.length === 0) return;
      await prepared(
        tx,
        `UPDATE collection SET parent_id = NULL, updated_at = now(), version = version + 1
         WHERE project_id = $1 AND parent_id = ANY($2) AND NOT id = ANY($2)`,
        [projectId, ids],
      );
      await prepared(tx, 'DELETE FROM collection WHERE project_id = $1 AND id = ANY($2)', [
        projectId,
        ids,
      ]);
      await recordEach(tx, systemOrigin(projectId), 'dam.collection.purged', ids);
    },
  );
}
