import { limits } from '@scriptorium/contracts/limits';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, send } from '../../../db/transaction.ts';
import { schedule } from '../../../outbox/schedule.ts';
import type { TaskRun } from '../../../outbox/task-run.ts';
import { decideAction } from '../../../policies/enforce.ts';
import { deleteObject } from './delete-object.ts';

const trashCutoff = `now() - interval '${limits.trash_days} days'`;
/** The interval after which an object that a policy retains is checked again. */
const recheckSeconds = 24 * 3600;

/**
 * Purges an object whose time in the trash has expired, or that was rejected or failed that long ago. An
 * object that was restored meanwhile is left unchanged. An object that a policy retains is checked again
 * every day.
 */
export async function purgeObject(_deps: object, run: TaskRun<'object.purge'>): Promise<void> {
  const { projectId, payload } = run.task;
  const key = [projectId, payload.object_id];
  await run.finish(
    (tx) => {
      const found = prepared<{ id: string }>(
        tx,
        `SELECT id FROM object WHERE project_id = $1 AND id = $2 
           AND (state = 'trashed' AND trashed_at <= ${trashCutoff} OR state IN ('rejected', 'failed')
             AND updated_at <= ${trashCutoff}) FOR UPDATE`,
        key,
      );
      send(tx, 'SELECT FROM image WHERE project_id = $1 AND object_id = $2 FOR UPDATE', key);
      return found;
    },
    async (tx, found) => {
      if (found.length === 0) return;
      const origin = systemOrigin(projectId);
      const { decision } = await decideAction(tx, origin, {
        action: 'delete',
        objectId: payload.object_id,
        by: 'worker',
      });
      if (decision === 'deny') {
        await schedule(tx, projectId, payload.object_id, {
          kind: 'object.purge',
          payload,
          dueInSeconds: recheckSeconds,
        });
        return;
      }
      await deleteObject(tx, origin, payload.object_id);
    },
  );
}
