import type { Failure } from '@scriptorium/contracts/wire/common';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { IsNull } from 'typeorm';
import type { Database } from '../../db/database.ts';
import { sendUpdate } from '../../db/statements/rows.ts';
import { inProject } from '../../db/transaction.ts';
import { ObjectVariant } from '../../entities/library/object-variant.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { Received, Storage } from '../../storage/storage.ts';
import { retainBytes } from '../bytes/retain.ts';
import { findVariant } from '../variants.ts';
import { findObject } from './load.ts';

interface VariantDeps {
  database: Database;
  storage: Storage;
}

type VariantRun = TaskRun<'object.strip' | 'object.draw' | 'object.preview' | 'object.words'>;

/** Writes a variant of an object's file at `path` to `outPath`. Throws EngineError. */
type Make = (object: StoredObject, path: string, outPath: string) => Promise<unknown>;

/**
 * Makes a variant of the task's object; stores the bytes before the row. Does nothing for a purged
 * object or an existing variant.
 */
export async function makeVariant(
  deps: VariantDeps,
  run: VariantRun,
  variant: string,
  make: Make,
): Promise<void> {
  const { projectId, payload } = run.task;
  const { object_id: objectId } = payload;
  const [object, row] = await inProject(deps.database, projectId, async (tx) => [
    await findObject(tx, projectId, objectId),
    await findVariant(tx, projectId, objectId, variant),
  ]);
  if (!object || !row || row.sha256 !== null) return run.end();
  const out = await deps.storage.tempFile();
  try {
    const received = await storeMade(deps, object, out.path, make);
    await finish(run, variant, { received });
  } catch (error) {
    const failure = finalFailure(error, isLastRun(run));
    if (!failure) throw error;
    await finish(run, variant, { error: failure });
  } finally {
    await out.release();
  }
}

/** Fails a variant whose workers all died. */
export async function giveUpVariant(run: VariantRun, variant: string, work: string): Promise<void> {
  await finish(run, variant, { error: gaveUp(work) });
}

async function storeMade(
  { storage }: VariantDeps,
  object: StoredObject,
  outPath: string,
  make: Make,
): Promise<Received> {
  const source = await storage.localPath(object.projectId, object.sha256);
  try {
    await make(object, source.path, outPath);
  } finally {
    await source.release();
  }
  const received = await storage.receiveFile(object.projectId, outPath);
  await received.commit();
  return received;
}

/** Ends the task and stores the outcome in the variant's row, unless the object was purged. */
async function finish(
  run: VariantRun,
  variant: string,
  end: { received: Received } | { error: Failure },
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      const made = 'received' in end ? await retainBytes(tx, projectId, end.received) : null;
      sendUpdate(
        tx,
        ObjectVariant,
        { projectId, objectId: payload.object_id, variant, sha256: IsNull() },
        {
          sha256: made?.sha256 ?? null,
          bytes: made?.bytes ?? null,
          error: 'error' in end ? end.error : null,
        },
      );
    },
  );
}
