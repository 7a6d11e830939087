import { Problem } from '../../contracts/problems.ts';
import type { ResumableUpload } from '../../contracts/wire/uploads.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Upload } from '../../entities/upload.ts';
import type { Storage } from '../../storage/storage.ts';

/** The columns of an upload under the names of its entity, for statements written by hand. */
export const uploadColumns = `project_id AS "projectId", id, key_id AS "keyId", state, length, filename,
  declared_mime AS "declaredMime", tags, metadata, on_duplicate AS "onDuplicate", given, mime,
  object_id AS "objectId", deduplicated, rejection, created_at AS "createdAt",
  expires_at AS "expiresAt"`;

/** An upload of a project; null when there is none. */
export async function findUpload(tx: Tx, projectId: string, id: string): Promise<Upload | null> {
  const [upload] = await prepared<Upload>(
    tx,
    `SELECT ${uploadColumns} FROM upload WHERE project_id = $1 AND id = $2`,
    [projectId, id],
  );
  return upload ?? null;
}

/**
 * The same, locked until the transaction ends. Whoever locks an upload and an object locks the
 * upload first.
 */
export async function lockUpload(tx: Tx, projectId: string, id: string): Promise<Upload | null> {
  const [upload] = await prepared<Upload>(
    tx,
    `SELECT ${uploadColumns} FROM upload WHERE project_id = $1 AND id = $2 FOR UPDATE`,
    [projectId, id],
  );
  return upload ?? null;
}

/** What its row says, or its time: the task that writes the end down may come later. */
export function stateOf(upload: Upload): Upload['state'] {
  return upload.state === 'uploading' && upload.expiresAt.getTime() <= Date.now()
    ? 'expired'
    : upload.state;
}

/**
 * Refuses an upload that takes no bytes any more and has come to nothing.
 * @throws Problem 410 `upload_expired`, 403 `policy_denied`
 */
export function requireAlive(upload: Upload): void {
  const state = stateOf(upload);
  if (state === 'expired') throw uploadExpired(upload.id);
  if (state === 'rejected') throw policyDenied(upload.rejection ?? {});
}

/** The time of an upload is over, or its bytes are gone. */
export function uploadExpired(id: string): Problem {
  return new Problem('upload_expired', `The upload '${id}' has expired. Begin a new one.`);
}

/** What a policy said of an upload, as the answer to whoever goes on with it. */
export function policyDenied(rejection: Record<string, unknown>): Problem {
  const detail =
    typeof rejection.detail === 'string' ? rejection.detail : 'A policy does not allow this file.';
  return new Problem('policy_denied', detail, { extra: rejection });
}

/** How many bytes of an upload are durably there. */
export async function arrivedOf(storage: Storage, upload: Upload): Promise<number> {
  // They are an object's by now.
  if (upload.state === 'completed') return upload.length;
  if (upload.state !== 'uploading') return 0;
  return storage.partials.offset(upload.projectId, upload.id);
}

/** An upload as the API shows it. */
export function presentUpload(
  upload: Upload,
  offset: number,
  imageId: string | null,
): ResumableUpload {
  return {
    id: upload.id,
    project_id: upload.projectId,
    state: stateOf(upload),
    offset,
    bytes: upload.length,
    filename: upload.filename,
    object_id: upload.objectId,
    image_id: imageId,
    deduplicated: upload.deduplicated,
    rejection: upload.rejection,
    created_at: upload.createdAt.toISOString(),
    expires_at: upload.expiresAt.toISOString(),
  };
}
