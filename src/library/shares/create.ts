import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { notAvailable, Problem, referenceNotFound } from '@scriptorium/contracts/problems';
import type { ShareCreate } from '@scriptorium/contracts/wire/library/shares';
import { postgresTime } from '../../db/postgres-time.ts';
import { sendInsert } from '../../db/statements/rows.ts';
import { commitWith, send, type Tx } from '../../db/transaction.ts';
import { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';
import { findCollection, requireNotTrashed } from '../collections/load.ts';
import { requireManual } from '../collections/members/load.ts';
import { findObject } from '../objects/load.ts';
import { rejectInvalidFields, targetFaults } from './fields.ts';
import { countShares, eventDataOf } from './load.ts';
import { chooseSharedObject } from './policies.ts';

/**
 * Creates a share.
 * @param passwordHash the result of `hashPassword` for the given password
 * @throws Problem 403 if a policy does not let the object be shared, 409 for a target in the trash,
 *   a smart collection for uploads or too many shares, 422 for invalid fields or an unknown target
 */
export async function createShare(
  tx: Tx,
  origin: Origin,
  fields: ShareCreate,
  passwordHash: string | null,
): Promise<Share> {
  rejectInvalidFields(fields.kind, fields, targetFaults(fields));
  const { projectId } = origin;
  const object = await findTarget(tx, projectId, fields);
  const expiresAt = fields.expires_at ? new Date(fields.expires_at) : null;
  if (object) {
    await chooseSharedObject(tx, origin, object, {
      createdAt: new Date(postgresTime()),
      expiresAt,
    });
  }
  await rejectTooManyShares(tx, projectId);
  const id = newId('share');
  const share = {
    projectId,
    id,
    kind: fields.kind,
    objectId: fields.object_id ?? null,
    collectionId: fields.collection_id ?? null,
    title: fields.title ?? null,
    message: fields.message ?? null,
    passwordHash,
    allowDownload: fields.kind === 'view' && (fields.allow_download ?? true),
    maxViews: fields.max_views ?? null,
    maxDownloads: fields.max_downloads ?? null,
    accept: fields.accept ?? [],
    maxBytes: fields.max_bytes ?? null,
    maxFiles: fields.max_files ?? null,
    createdBy: origin.actor,
    expiresAt,
  };
  sendInsert(tx, Share, share);
  await record(tx, origin, { type: 'dam.share.created', resourceId: id, data: eventDataOf(share) });
  return commitWith(tx, () => tx.findOneByOrFail(Share, { projectId, id }));
}

/** @returns the object to share, or null for a collection */
async function findTarget(
  tx: Tx,
  projectId: string,
  { kind, object_id: objectId, collection_id: collectionId }: ShareCreate,
): Promise<StoredObject | null> {
  if (objectId) {
    const object = await findObject(tx, projectId, objectId);
    if (!object) throw referenceNotFound('/object_id', objectId);
    if (object.state !== 'available') throw notAvailable('object', object);
    return object;
  }
  if (collectionId) {
    const collection = await findCollection(tx, projectId, collectionId);
    if (!collection) throw referenceNotFound('/collection_id', collectionId);
    (kind === 'upload' ? requireManual : requireNotTrashed)(collection);
  }
  return null;
}

/** @throws Problem 409 if the project has too many shares */
async function rejectTooManyShares(tx: Tx, projectId: string): Promise<void> {
  send(tx, `SELECT pg_advisory_xact_lock(hashtextextended('shares ' || $1, 0))`, [projectId]);
  const max = limits.shares_per_project;
  if ((await countShares(tx, { state: ['active', 'used_up'] })) < max) return;
  const detail = `The project already has ${pluralise(max, 'share')}, the maximum. Revoke one first.`;
  throw new Problem('state_conflict', detail, { extra: { limit: max } });
}
