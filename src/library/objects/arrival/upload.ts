import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Trait } from '@scriptorium/contracts/rules';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { enforceUpload } from '../../../policies/enforce.ts';
import { holdObjects, lockScopes } from '../../../policies/facts/holds.ts';
import { claimQuota } from '../../../policies/quotas.ts';
import type { RetainedBytes } from '../../bytes/retain.ts';
import { findImageId } from '../../images/load.ts';
import { objectColumns } from '../load.ts';
import { announceAvailable } from './announce-available.ts';
import { fixedPageCount } from './read-text.ts';

interface NewUpload {
  filename: string;
  /** Sniffed, not declared. */
  mime: string;
  traits: Trait[];
  content: RetainedBytes;
  tags: string[];
  metadata: Record<string, unknown>;
  /** `reuse` returns an existing object with the same bytes and name. */
  onDuplicate: 'reuse' | 'allow';
  /** Whether the quotas have counted it since the upload was created. */
  isCounted?: boolean;
}

/** The object of an upload. */
export interface UploadedObject {
  object: StoredObject;
  /** Null if the object has no image, or none yet. */
  imageId: string | null;
  /** Whether the object existed before. */
  deduplicated: boolean;
}

/**
 * Creates the object of an upload, with its events: available at once, or `processing` if a policy
 * requires facts that only a worker can read. With `reuse`, an available upload with the same bytes
 * and name is returned instead, unchanged; of equal concurrent uploads, one creates the object.
 * @throws PolicyDenied (403), and 403 `quota_exceeded`
 */
export async function createFromUpload(
  tx: Tx,
  origin: Origin,
  upload: NewUpload,
): Promise<UploadedObject> {
  const { bytes, sha256 } = upload.content;
  const facts = { mime: upload.mime, traits: upload.traits, bytes, tags: upload.tags };
  const { decision } = await enforceUpload(tx, origin, {
    objectId: null,
    facts,
    file: { filename: upload.filename, sha256 },
  });
  if (upload.onDuplicate === 'reuse') {
    const duplicate = await findDuplicate(tx, origin.projectId, upload);
    if (duplicate) {
      const imageId = await findImageId(tx, origin.projectId, duplicate.id);
      return { object: duplicate, imageId, deduplicated: true };
    }
  }
  const state = decision === 'pending' ? 'processing' : 'available';
  if (upload.tags.length > 0) lockScopes(tx, origin.projectId, 'shared');
  if (!upload.isCounted) {
    claimQuota(tx, origin.projectId, 'objects', 1);
    claimQuota(tx, origin.projectId, 'storage_bytes', bytes);
  }
  const [object] = await prepared<StoredObject>(
    tx,
    `INSERT INTO object (id, project_id, state, filename, mime, traits, bytes, sha256, tags, metadata, pages, source_kind)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'upload') RETURNING ${objectColumns}`,
    [
      newId('object'),
      origin.projectId,
      state,
      upload.filename,
      upload.mime,
      upload.traits,
      bytes,
      sha256,
      upload.tags,
      JSON.stringify(upload.metadata),
      fixedPageCount(upload.mime),
    ],
  );
  if (upload.tags.length > 0) await holdObjects(tx, origin.projectId, [object!.id]);
  const { id, filename, mime } = object!;
  const [createdEventId] = await record(tx, origin, {
    type: 'dam.object.created',
    resourceId: id,
    data: { filename, mime, bytes, sha256, derived_from: null },
  });
  if (state === 'available') {
    const imageId = await announceAvailable(tx, origin, object!);
    return { object: object!, imageId, deduplicated: false };
  }
  await schedule(tx, origin.projectId, id, {
    kind: 'object.inspect',
    payload: { object_id: id, event_id: createdEventId! },
  });
  return { object: object!, imageId: null, deduplicated: false };
}

/** Finds the oldest duplicate, under a lock that makes the next equal upload wait for this one. */
async function findDuplicate(
  tx: Tx,
  projectId: string,
  upload: NewUpload,
): Promise<StoredObject | undefined> {
  await prepared(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `upload ${projectId} ${upload.content.sha256} ${upload.filename}`,
  ]);
  // A separate statement, which sees what the previous holder of the lock committed. The row is
  // locked, so that it is not trashed before the response names it.
  const [duplicate] = await prepared<StoredObject>(
    tx,
    `SELECT ${objectColumns} FROM object
     WHERE project_id = $1 AND sha256 = $2 AND filename = $3
       AND state = 'available' AND source_kind = 'upload'
     ORDER BY created_at, id LIMIT 1 FOR SHARE`,
    [projectId, upload.content.sha256, upload.filename],
  );
  return duplicate;
}
