import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { selectListOf } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Upload } from '../../entities/library/upload.ts';
import { schedule } from '../../outbox/schedule.ts';
import { claimQuota } from '../../policies/quotas.ts';
import { checkUploadPolicies } from './check-policies.ts';
import { uploadDenied } from './load.ts';

const hourSeconds = 3_600;
/** A request that began before the expiry may take this long to finish. */
const graceSeconds = 600;

/** A file that a client is about to send. */
export type UploadDeclaration = Pick<
  Upload,
  'id' | 'keyId' | 'length' | 'filename' | 'declaredMime' | 'tags' | 'metadata' | 'onDuplicate'
> & { given: string };

/**
 * Creates an upload, and schedules its expiry.
 * @throws Problem 403 `policy_denied` if a policy denies the file by its declaration, 403
 *   `quota_exceeded`
 */
export async function createUpload(
  tx: Tx,
  origin: Origin,
  declaration: UploadDeclaration,
): Promise<Upload> {
  const { projectId } = origin;
  const rejection = await checkUploadPolicies(tx, origin, {
    stage: 'announced',
    projectId,
    filename: declaration.filename,
    bytes: declaration.length,
    tags: declaration.tags,
    mime: declaration.declaredMime,
  });
  if (rejection) throw uploadDenied(rejection);
  claimQuota(tx, projectId, 'uploads', 1);
  claimQuota(tx, projectId, 'objects', 1);
  claimQuota(tx, projectId, 'storage_bytes', declaration.length);
  const [upload] = await prepared<Upload>(
    tx,
    `INSERT INTO upload (id, project_id, key_id, length, filename, declared_mime, tags, metadata,
       on_duplicate, given, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
       now() + interval '${limits.resumable_upload_hours} hours')
     RETURNING ${selectListOf(tx, Upload)}`,
    [
      declaration.id,
      projectId,
      declaration.keyId,
      declaration.length,
      declaration.filename,
      declaration.declaredMime,
      declaration.tags,
      JSON.stringify(declaration.metadata),
      declaration.onDuplicate,
      declaration.given,
    ],
  );
  await schedule(tx, projectId, declaration.id, {
    kind: 'upload.expire',
    payload: { upload_id: declaration.id },
    dueInSeconds: limits.resumable_upload_hours * hourSeconds + graceSeconds,
  });
  return upload!;
}
