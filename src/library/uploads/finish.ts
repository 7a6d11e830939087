import type { Origin } from '@scriptorium/contracts/origin';
import { sendUpdate } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { Upload } from '../../entities/library/upload.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { HEAD_BYTES, type Storage, StorageError } from '../../storage/storage.ts';
import { retainBytes } from '../bytes/retain.ts';
import { sniff } from '../files/sniff.ts';
import type { SniffedType, SniffHints } from '../files/sniffed-type.ts';
import { certainFacts, readTypeAndTraits } from '../files/traits.ts';
import { createFromUpload } from '../objects/arrival/upload.ts';
import { checkUploadPolicies, type Rejection, rejectionOf } from './check-policies.ts';
import { lockUpload, rejectExpiredOrRejected, uploadDenied, uploadExpired } from './load.ts';
import { removeUploadBytes } from './remove-upload-bytes.ts';

/** What is needed to continue an upload. The caller must hold the upload's lock (locks.ts). */
export interface UploadContext {
  storage: Storage;
  origin: Origin;
  /** Runs work in a separate transaction, restricted to the project. */
  inProject<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Detects the type of an upload by its first bytes, and applies the policies to it.
 * @throws Problem 403 `policy_denied`, after the upload is rejected and its bytes are removed
 */
export async function inspectUpload(context: UploadContext, upload: Upload): Promise<void> {
  const { partials } = context.storage;
  const sniffed = sniffUpload(upload, await partials.head(upload.projectId, upload.id, HEAD_BYTES));
  const { projectId, filename, length, tags } = upload;
  const facts = certainFacts(sniffed);
  const file = { projectId, filename, bytes: length, tags, ...facts };
  const rejection = await context.inProject(async (tx) => {
    const denial = await checkUploadPolicies(tx, context.origin, { stage: 'begun', ...file });
    if (denial) await markRejected(tx, upload, denial);
    else {
      await prepared(tx, 'UPDATE upload SET mime = $3 WHERE project_id = $1 AND id = $2', [
        upload.projectId,
        upload.id,
        sniffed.mime,
      ]);
    }
    return denial;
  });
  if (rejection) {
    await removeUploadBytes(context.storage, upload);
    throw uploadDenied(rejection);
  }
  upload.mime = sniffed.mime;
}

/**
 * Creates the object of a complete upload. The bytes stay in place until the object exists, so a
 * call after a crash finds them.
 * @returns the completed upload
 * @throws Problem 403 `policy_denied`, 410 `upload_expired`
 */
export async function finishUpload(context: UploadContext, upload: Upload): Promise<Upload> {
  const { storage, inProject, origin } = context;
  const { projectId, id } = upload;
  const received = await storage.partials.complete(projectId, id).catch((error: unknown) => {
    // The upload has expired meanwhile, and its bytes were removed.
    if (error instanceof StorageError && error.code === 'not_found') throw uploadExpired(id);
    throw error;
  });
  // Before the transaction, so that the transaction does not wait for storage.
  await received.commit();
  const sniffed = sniffUpload(upload, received.head);
  const { mime, traits } = await readTypeAndTraits(sniffed, hintsOf(upload), (range) =>
    storage.open(projectId, received.sha256, range),
  );
  const finished = await inProject(async (tx) => {
    const locked = await lockUpload(tx, projectId, id);
    if (!locked) throw uploadExpired(id);
    if (locked.state !== 'uploading') return locked;
    const { filename, tags, metadata, onDuplicate } = locked;
    const content = await retainBytes(tx, projectId, received);
    const fields = { filename, mime, traits, tags, metadata };
    const newUpload = { ...fields, content, onDuplicate, isCounted: true };
    try {
      const { object, deduplicated } = await createFromUpload(tx, origin, newUpload);
      send(
        tx,
        `UPDATE upload SET state = 'completed', object_id = $3, deduplicated = $4, mime = $5
         WHERE project_id = $1 AND id = $2`,
        [projectId, id, object.id, deduplicated, mime],
      );
      const state: Upload['state'] = 'completed';
      return { ...locked, state, objectId: object.id, deduplicated, mime };
    } catch (error) {
      // Denied before anything was written.
      if (!(error instanceof PolicyDenied)) throw error;
      return markRejected(tx, locked, await rejectionOf(tx, origin, error));
    }
  });
  await received.discard();
  rejectExpiredOrRejected(finished);
  return finished;
}

/** Examines as many bytes as for a direct upload, so that both detect the same type. */
function sniffUpload(upload: Upload, head: Buffer): SniffedType {
  return sniff(head, hintsOf(upload));
}

function hintsOf({ filename, declaredMime, length }: Upload): SniffHints {
  return { filename, declaredMime: declaredMime ?? undefined, bytes: length };
}

async function markRejected(tx: Tx, upload: Upload, rejection: Rejection): Promise<Upload> {
  const { projectId, id } = upload;
  const where = { projectId, id, state: 'uploading' as const };
  sendUpdate(tx, Upload, where, { state: 'rejected', rejection });
  return { ...upload, state: 'rejected', rejection };
}
