import { variantFields } from '../../contracts/variants.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import { inProject, prepared } from '../../db/transaction.ts';
import { finalFailure } from '../../engines/errors.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { Received } from '../../storage/storage.ts';
import { holdBytes } from '../bytes/hold.ts';
import type { ImagingDeps } from '../images/deps.ts';
import { findVariant } from '../variants.ts';
import { findObject } from './load.ts';

/** Below the task's own deadline, so that the file is told from a machine that hangs. */
const stripMs = 60_000;

type StripRun = TaskRun<'object.strip'>;

/**
 * Makes the bytes of an object that lack some of its metadata, and stores them before the row says
 * so. Of an object that was purged, or a variant that is made, nothing is done.
 */
export async function stripObject(deps: ImagingDeps, run: StripRun): Promise<void> {
  const { projectId, payload } = run.task;
  const { object_id: objectId, variant } = payload;
  const [object, row] = await inProject(deps.database, projectId, async (tx) => [
    await findObject(tx, projectId, objectId),
    await findVariant(tx, projectId, objectId, variant),
  ]);
  if (!object || !row || row.sha256 !== null) return run.end();
  const out = await deps.storage.tempFile();
  try {
    const received = await makeStripped(deps, run, object, out.path);
    await finishStripping(run, { received });
  } catch (error) {
    const told = finalFailure(error, isLastRun(run));
    if (!told) throw error;
    await finishStripping(run, { error: told });
  } finally {
    await out.release();
  }
}

/** Ends the making of a variant that no worker survived. */
export async function giveUpStripping(run: StripRun): Promise<void> {
  await finishStripping(run, { error: gaveUp('Taking the metadata out') });
}

async function makeStripped(
  { storage, imaging }: ImagingDeps,
  run: StripRun,
  object: StoredObject,
  outPath: string,
): Promise<Received> {
  const source = await storage.localPath(object.projectId, object.sha256);
  try {
    const fields = variantFields[run.task.payload.variant];
    await imaging.stripMetadata(
      { path: source.path, mime: object.mime, fields, outPath },
      { deadlineMs: stripMs, signal: run.signal, isolation: object.projectId },
    );
  } finally {
    await source.release();
  }
  const received = await storage.receiveFile(object.projectId, outPath);
  await received.commit();
  return received;
}

/** Ends the task; what came of it goes into the variant's row, unless the object was purged with it. */
async function finishStripping(
  run: StripRun,
  end: { received: Received } | { error: Failure },
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      const made = 'received' in end ? await holdBytes(tx, projectId, end.received) : null;
      await prepared(
        tx,
        `UPDATE object_variant SET sha256 = $4, bytes = $5, error = $6
         WHERE project_id = $1 AND object_id = $2 AND variant = $3 AND sha256 IS NULL`,
        [
          projectId,
          payload.object_id,
          payload.variant,
          made?.sha256 ?? null,
          made?.bytes ?? null,
          'error' in end ? JSON.stringify(end.error) : null,
        ],
      );
    },
  );
}
