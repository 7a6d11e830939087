import { IsNull } from 'typeorm';
import { variantFields } from '../../contracts/variants.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import { sendUpdate } from '../../db/statements/rows.ts';
import { inProject } from '../../db/transaction.ts';
import { finalFailure } from '../../engines/errors.ts';
import { ObjectVariant } from '../../entities/library/object-variant.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { Received } from '../../storage/storage.ts';
import { holdBytes } from '../bytes/hold.ts';
import type { ImagingDeps } from '../images/deps.ts';
import { findVariant } from '../variants.ts';
import { findObject } from './load.ts';

/** Shorter than the task's deadline, to distinguish a bad file from a machine that hangs. */
const stripMs = 60_000;

type StripRun = TaskRun<'object.strip'>;

/**
 * Makes a variant of an object without some of its metadata; stores the bytes before the row. Does
 * nothing for an object that was purged or a variant that exists.
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

/** Fails a variant whose workers all died. */
export async function giveUpStripping(run: StripRun): Promise<void> {
  await finishStripping(run, { error: gaveUp('Removing the metadata') });
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

/**
 * Ends the task and stores the outcome in the variant's row, unless the object was purged with it.
 */
async function finishStripping(
  run: StripRun,
  end: { received: Received } | { error: Failure },
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      const made = 'received' in end ? await holdBytes(tx, projectId, end.received) : null;
      sendUpdate(
        tx,
        ObjectVariant,
        {
          projectId,
          objectId: payload.object_id,
          variant: payload.variant,
          sha256: IsNull(),
        },
        {
          sha256: made?.sha256 ?? null,
          bytes: made?.bytes ?? null,
          error: 'error' in end ? end.error : null,
        },
      );
    },
  );
}
