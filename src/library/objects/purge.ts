import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { prepared, send } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { judge } from '../../policies/enforce.ts';
import { bequeath } from '../../policies/inheritance.ts';
import { endMemberships } from '../collections/membership.ts';
import { imageOf } from '../images/load.ts';

/** A policy kept it: whether it still does is asked once a day. */
const askAgainSeconds = 24 * 3600;

/**
 * Ends an object whose time in the trash is over: its row, its image with what was made to show it,
 * and what jobs kept of its pages. What was made from it stays, and is named in the event. One that
 * was restored meanwhile is left alone; one that a policy keeps stays in the trash until none does.
 */
export async function purgeObject(_deps: object, run: TaskRun<'object.purge'>): Promise<void> {
  const { projectId, payload } = run.task;
  const key = [projectId, payload.object_id];
  await run.finish(
    (tx) => {
      const found = prepared<{ id: string }>(
        tx,
        `SELECT id FROM object WHERE project_id = $1 AND id = $2 AND state = 'trashed'
           AND trashed_at <= now() - interval '${limits.trash_days} days' FOR UPDATE`,
        key,
      );
      send(tx, 'SELECT FROM image WHERE project_id = $1 AND object_id = $2 FOR UPDATE', key);
      return found;
    },
    async (tx, found) => {
      if (found.length === 0) return;
      const origin: Origin = {
        projectId,
        actor: { type: 'system', id: null },
        address: null,
        requestId: null,
      };
      const { decision } = await judge(tx, origin, {
        action: 'delete',
        objectId: payload.object_id,
        by: 'worker',
      });
      if (decision === 'deny') {
        await schedule(tx, projectId, payload.object_id, {
          kind: 'object.purge',
          payload,
          dueInSeconds: askAgainSeconds,
        });
        return;
      }
      const outputs = await prepared<{ id: string }>(
        tx,
        'SELECT id FROM object WHERE project_id = $1 AND derived_from = $2 ORDER BY id',
        key,
      );
      await prepared(
        tx,
        `UPDATE job_page SET text = NULL, words = NULL, result = NULL
         FROM job WHERE job.project_id = $1 AND job.source_object_id = $2
           AND job_page.project_id = job.project_id AND job_page.job_id = job.id`,
        key,
      );
      await bequeath(
        tx,
        projectId,
        payload.object_id,
        outputs.map(({ id }) => id),
      );
      const imageId = await imageOf(tx, projectId, payload.object_id);
      await endMemberships(tx, origin, payload.object_id);
      await prepared(tx, 'DELETE FROM object WHERE project_id = $1 AND id = $2', key);
      await record(
        tx,
        origin,
        {
          type: 'dam.object.purged',
          resourceId: payload.object_id,
          data: { outputs: outputs.map(({ id }) => id) },
        },
        ...(imageId ? [{ type: 'dam.image.purged', resourceId: imageId, data: {} } as const] : []),
      );
    },
  );
}
