import { prepared } from '../../db/transaction.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { Storage } from '../../storage/storage.ts';
import { lockUpload } from './load.ts';

/** How long a record tells what became of its upload. */
const recordDays = 7;
const daySeconds = 24 * 3_600;

/**
 * Ends an upload whose time is over, with its bytes; comes again to remove the record, whatever
 * became of the upload.
 */
export async function expireUpload(
  deps: { storage: Storage },
  run: TaskRun<'upload.expire'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  const id = payload.upload_id;
  await run.finish(
    (tx) => lockUpload(tx, projectId, id),
    async (tx, upload) => {
      if (!upload || upload.expiresAt.getTime() > Date.now()) return;
      // Nobody goes on with it by now, whether this transaction commits or comes again.
      await deps.storage.partials.drop(projectId, id);
      const over = upload.expiresAt.getTime() + recordDays * daySeconds * 1_000;
      if (over <= Date.now()) {
        await prepared(tx, 'DELETE FROM upload WHERE project_id = $1 AND id = $2', [projectId, id]);
        return;
      }
      await prepared(
        tx,
        `UPDATE upload SET state = 'expired'
         WHERE project_id = $1 AND id = $2 AND state = 'uploading'`,
        [projectId, id],
      );
      await schedule(tx, projectId, id, {
        kind: 'upload.expire',
        payload: { upload_id: id },
        dueInSeconds: Math.ceil((over - Date.now()) / 1_000),
      });
    },
  );
}
