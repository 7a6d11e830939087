import { pagedMimes } from '@scriptorium/contracts/documents/sources';
import { limits, trashSeconds } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Engines } from '@scriptorium/documents';
import type { Imaging } from '@scriptorium/documents/imaging';
import { finalFailure } from '@scriptorium/sandbox/errors';
import type { Database } from '../../../db/database.ts';
import { nextVersion, sendUpdate, transactionTime } from '../../../db/statements/rows.ts';
import { inProject, type Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import { originOfEvent } from '../../../outbox/event-queries.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../../outbox/task-run.ts';
import { PolicyDenied, recordDenial } from '../../../policies/denials.ts';
import { enforceUpload } from '../../../policies/enforce.ts';
import { knownItems, loadFacts } from '../../../policies/facts/load.ts';
import type { Storage } from '../../../storage/storage.ts';
import { isImageMime } from '../../images/create.ts';
import { findObject, lockObject } from '../load.ts';
import { announceAvailable } from './announce-available.ts';

interface InspectDeps {
  database: Database;
  storage: Storage;
  engines: Engines;
  imaging: Imaging;
}

/** The result of an inspection. Facts that do not apply are null. */
interface Inspection {
  pages: number | null;
  pixels: number | null;
  /** The reason why they could not be counted; the numbers are then lower bounds. */
  error: Failure | null;
}

const inspectTimeoutMs = 60_000;

/**
 * Inspects an upload for facts that a policy requires, and ends its processing: available, rejected
 * or failed.
 */
export async function inspectObject(
  deps: InspectDeps,
  run: TaskRun<'object.inspect'>,
): Promise<void> {
  const { projectId, payload } = run.task;
  const object = await inProject(deps.database, projectId, (tx) =>
    findObject(tx, projectId, payload.object_id),
  );
  if (object?.state !== 'processing') return run.end();
  const inspection = await inspectFile(deps, object, run);
  await finishInspecting(run, async (tx, origin, locked) => {
    const [loaded] = await loadFacts(tx, projectId, [locked.id]);
    const facts = {
      mime: locked.mime,
      traits: locked.traits ?? [],
      bytes: locked.bytes,
      // An attachment has the tags of its message.
      tags: loaded ? knownItems(loaded.facts.tags) : locked.tags,
      ...(inspection.pages === null ? {} : { pages: inspection.pages }),
      ...(inspection.pixels === null ? {} : { pixels: inspection.pixels }),
    };
    try {
      const file = { filename: locked.filename, sha256: locked.sha256 };
      const upload = { objectId: locked.id, facts, file, by: 'worker' as const };
      const { decision } = await enforceUpload(tx, origin, upload);
      if (inspection.error) return markFailed(tx, origin, locked, inspection.error);
      if (decision === 'pending') return markFailed(tx, origin, locked, inspectionFailed);
      await makeAvailable(tx, origin, locked, inspection.pages);
    } catch (error) {
      if (!(error instanceof PolicyDenied)) throw error;
      await markRejected(tx, origin, locked, error);
    }
  });
}

/** Fails an upload whose inspection repeatedly crashed. */
export async function giveUpInspecting(run: TaskRun<'object.inspect'>): Promise<void> {
  await finishInspecting(run, (tx, origin, object) =>
    markFailed(tx, origin, object, gaveUpFailure('Inspecting the file')),
  );
}

/** Ends the task. If the object is still `processing`, runs `work` with the object locked. */
async function finishInspecting(
  run: TaskRun<'object.inspect'>,
  work: (tx: Tx, origin: Origin, object: StoredObject) => Promise<void>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockObject(tx, projectId, payload.object_id),
    async (tx, object) => {
      if (object?.state !== 'processing') return;
      await work(tx, await originOfEvent(tx, projectId, payload.event_id), object);
    },
  );
}

async function inspectFile(
  deps: InspectDeps,
  object: StoredObject,
  run: TaskRun<'object.inspect'>,
): Promise<Inspection> {
  const isImage = isImageMime(object.mime);
  const file = await deps.storage.localPath(object.projectId, object.sha256);
  try {
    return { ...(await countPagesAndPixels(deps, object, file.path, run.signal)), error: null };
  } catch (thrown) {
    const error = finalFailure(thrown, isLastRun(run));
    if (!error) throw thrown;
    // A file with too many to count exceeds the maximum of every rule.
    const isOverLimit = error.code === 'too_many_pixels' || error.code === 'too_large';
    return {
      pages: isOverLimit && !isImage ? limits.document_pages + 1 : null,
      pixels: isOverLimit && isImage ? limits.image_pixels + 1 : null,
      error,
    };
  } finally {
    await file.release();
  }
}

async function countPagesAndPixels(
  deps: InspectDeps,
  { projectId, mime }: StoredObject,
  path: string,
  signal: AbortSignal,
): Promise<Omit<Inspection, 'error'>> {
  const options = { deadlineMs: inspectTimeoutMs, signal, isolation: projectId };
  if (!pagedMimes.some((known) => known === mime)) {
    const { width, height } = await deps.imaging.read({ path, mime, files: {} }, options);
    return { pages: null, pixels: width * height };
  }
  if (!isImageMime(mime)) {
    const { pageCount } = await deps.engines.summarise({ path, mime }, options);
    return { pages: pageCount, pixels: null };
  }
  const { pages } = await deps.engines.inspect({ path, mime }, options);
  return { pages: pages.length, pixels: Math.max(0, ...pages.map((page) => page.pixels ?? 0)) };
}

const inspectionFailed: Failure = {
  code: 'not_known',
  message: 'The file could not be inspected, which a policy requires.',
  retryable: false,
};

async function makeAvailable(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  pages: number | null,
): Promise<void> {
  await changeState(tx, object, 'available', null, pages);
  await announceAvailable(tx, origin, object);
}

async function markRejected(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  denied: PolicyDenied,
): Promise<void> {
  const { code, message, status, extra } = denied;
  await changeState(tx, object, 'rejected', { code, status, detail: message, ...extra });
  const { policy_id, rule_type } = denied.denial.violations[0]!;
  await recordDenial(tx, origin, 'denied', denied.denial);
  await record(tx, origin, {
    type: 'dam.object.rejected',
    resourceId: object.id,
    data: { policy_id, rule_type },
  });
}

async function markFailed(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  error: Failure,
): Promise<void> {
  await changeState(tx, object, 'failed', { ...error });
  await record(tx, origin, { type: 'dam.object.failed', resourceId: object.id, data: { error } });
}

async function changeState(
  tx: Tx,
  object: StoredObject,
  state: 'available' | 'rejected' | 'failed',
  rejection: Record<string, unknown> | null,
  pages: number | null = null,
): Promise<void> {
  const key = { projectId: object.projectId, id: object.id };
  sendUpdate(tx, StoredObject, key, {
    state,
    rejection,
    ...(pages !== null && { pages }),
    updatedAt: transactionTime,
    version: nextVersion,
  });
  if (state === 'available') return;
  // The object stays as long as one in the trash, so that clients can read the reason.
  await schedule(tx, object.projectId, object.id, {
    kind: 'object.purge',
    payload: { object_id: object.id },
    dueInSeconds: trashSeconds,
  });
}
