import type { Failure } from '@scriptorium/contracts/wire/common';
import { finalFailure } from '@scriptorium/sandbox/errors';
import { IsNull } from 'typeorm';
import type { Database } from '../../db/database.ts';
import { sendUpdate } from '../../db/statements/rows.ts';
import { inProject } from '../../db/transaction.ts';
import { ObjectVariant } from '../../entities/library/object-variant.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import type { ReceivedBytes, Storage } from '../../storage/storage.ts';
import { retainBytes } from '../bytes/retain.ts';
import { findVariant } from '../variants.ts';
import { findObject } from './load.ts';

interface VariantDeps {
  database: Database;
  storage: Storage;
}

type VariantRun = TaskRun<'object.strip' | 'object.draw' | 'object.preview' | 'object.words'>;

/** Writes a variant of the file at `path` to `outPath`. @throws EngineError */
type WriteVariant = (object: StoredObject, path: string, outPath: string) => Promise<unknown>;

/**
 * Makes a variant of the task's object; stores the bytes before the row. Does nothing for a purged
 * object or an existing variant.
 */
export async function makeVariant(
  deps: VariantDeps,
  run: VariantRun,
  variant: string,
  write: WriteVariant,
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
    const received = await storeVariant(deps, object, out.path, write);
    await finish(run, variant, { received });
  } catch (error) {
    const failure = finalFailure(error, isLastRun(run));
    if (!failure) throw error;
    await finish(run, variant, { error: failure });
  } finally {
    await out.release();
  }
}

/** Fails a variant after the worker crashed in each attempt. */
export async function giveUpVariant(run: VariantRun, variant: string, work: string): Promise<void> {
  await finish(run, variant, { error: gaveUpFailure(work) });
}

async function storeVariant(
  { storage }: VariantDeps,
  object: StoredObject,
  outPath: string,
  write: WriteVariant,
): Promise<ReceivedBytes> {
  const source = await storage.localPath(object.projectId, object.sha256);
  try {
    await write(object, source.path, outPath);
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
  outcome: { received: ReceivedBytes } | { error: Failure },
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    async () => undefined,
    async (tx) => {
      const retained =
        'received' in outcome ? await retainBytes(tx, projectId, outcome.received) : null;
      sendUpdate(
        tx,
        ObjectVariant,
        { projectId, objectId: payload.object_id, variant, sha256: IsNull() },
        {
          sha256: retained?.sha256 ?? null,
          bytes: retained?.bytes ?? null,
          error: 'error' in outcome ? outcome.error : null,
        },
      );
    },
  );
}
