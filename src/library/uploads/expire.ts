import { sendDelete, sendUpdate } from '../../db/statements/rows.ts';
import { Upload } from '../../entities/library/upload.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import type { Storage } from '../../storage/storage.ts';
import { lockUpload } from './load.ts';

/** How long the record of an expired upload is kept. */
const recordDays = 7;
const daySeconds = 24 * 3_600;

/**
 * Expires an upload and removes its bytes. Runs again later to remove the record, whatever the
 * upload's outcome.
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
      if (!upload) return;
      const remainingMs = upload.expiresAt.getTime() - upload.now.getTime();
      const recordRemainingMs = remainingMs + recordDays * daySeconds * 1_000;
      if (remainingMs <= 0) {
        // Not undone if the transaction fails: an expired upload cannot be continued anyway.
        await deps.storage.partials.drop(projectId, id);
        if (recordRemainingMs <= 0) {
          sendDelete(tx, Upload, { projectId, id });
          return;
        }
        sendUpdate(tx, Upload, { projectId, id, state: 'uploading' }, { state: 'expired' });
      }
      // Also if the upload has not expired, as after a failover to a Postgres whose clock is behind:
      // without a task, it would never expire.
      await schedule(tx, projectId, id, {
        kind: 'upload.expire',
        payload: { upload_id: id },
        dueInSeconds: Math.ceil((remainingMs > 0 ? remainingMs : recordRemainingMs) / 1_000),
      });
    },
  );
}
