import { newId } from '../../contracts/ids.ts';
import type { Origin } from '../../contracts/origin.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { record } from '../../outbox/record.ts';
import type { HeldBytes } from '../bytes/hold.ts';
import { createImage } from '../images/create.ts';
import { objectColumns } from './load.ts';

export interface NewUpload {
  filename: string;
  /** Sniffed, not declared. */
  mime: string;
  content: HeldBytes;
  tags: string[];
  metadata: Record<string, unknown>;
  /** `reuse` answers with the object that has these bytes and this name already. */
  onDuplicate: 'reuse' | 'allow';
}

/**
 * Makes the object of an upload, available at once, with its events. With `reuse`, an available
 * upload of the same bytes and name is the answer instead, unchanged; of uploads that are the same
 * and come at once, one makes the object.
 */
export async function createFromUpload(
  tx: Tx,
  origin: Origin,
  upload: NewUpload,
): Promise<{ object: StoredObject; deduplicated: boolean }> {
  if (upload.onDuplicate === 'reuse') {
    const twin = await findTwin(tx, origin.projectId, upload);
    if (twin) return { object: twin, deduplicated: true };
  }
  const { bytes, sha256 } = upload.content;
  const [object] = await prepared<StoredObject>(
    tx,
    `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, tags, metadata, source_kind)
     VALUES ($1, $2, 'available', $3, $4, $5, $6, $7, $8, 'upload') RETURNING ${objectColumns}`,
    [
      newId('object'),
      origin.projectId,
      upload.filename,
      upload.mime,
      bytes,
      sha256,
      upload.tags,
      JSON.stringify(upload.metadata),
    ],
  );
  const data = {
    filename: upload.filename,
    mime: upload.mime,
    bytes,
    sha256,
    derived_from: null,
  };
  await record(
    tx,
    origin,
    { type: 'dam.object.created', resourceId: object!.id, data },
    { type: 'dam.object.available', resourceId: object!.id, data },
  );
  await createImage(tx, origin, object!);
  return { object: object!, deduplicated: false };
}

/** Looks for the oldest twin, behind a lock that makes the next same upload wait for this one. */
async function findTwin(
  tx: Tx,
  projectId: string,
  upload: NewUpload,
): Promise<StoredObject | undefined> {
  await prepared(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `upload ${projectId} ${upload.content.sha256} ${upload.filename}`,
  ]);
  // A statement of its own, so that it sees what the holder of the lock before us committed. The row
  // is locked against going to the trash before our answer says that it is there.
  const [twin] = await prepared<StoredObject>(
    tx,
    `SELECT ${objectColumns} FROM object
     WHERE project_id = $1 AND sha256 = $2 AND filename = $3
       AND state = 'available' AND source_kind = 'upload'
     ORDER BY created_at, id LIMIT 1 FOR SHARE`,
    [projectId, upload.content.sha256, upload.filename],
  );
  return twin;
}
