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
import { findCollection, requireLive } from '../collections/load.ts';
import { requireManual } from '../collections/members/load.ts';
import { findObject } from '../objects/load.ts';
import { rejectBadFields, targetFaults } from './fields.ts';
import { countShares, factsOf } from './load.ts';
import { chooseShareable } from './policies.ts';

/**
 * Creates a share.
 * @param passwordHash the result of `hashPassword` for the given password
 * @throws Problem 403 if a policy does not let the object be shared, 409 for a target in the trash,
 *   a smart collection for uploads or too many shares, 422 for invalid fields or an unknown target
 */
export async function createShare(
  tx: Tx,
  origin: Origin,
  given: ShareCreate,
  passwordHash: string | null,
): Promise<Share> {
  rejectBadFields(given.kind, given, targetFaults(given));
  const { projectId } = origin;
  const object = await requireTarget(tx, projectId, given);
  const expiresAt = given.expires_at ? new Date(given.expires_at) : null;
  if (object) {
    await chooseShareable(tx, origin, object, { createdAt: new Date(postgresTime()), expiresAt });
  }
  await requireRoom(tx, projectId);
  const id = newId('share');
  const share = {
    projectId,
    id,
    kind: given.kind,
    objectId: given.object_id ?? null,
    collectionId: given.collection_id ?? null,
    title: given.title ?? null,
    message: given.message ?? null,
    passwordHash,
    allowDownload: given.kind === 'view' && (given.allow_download ?? true),
    maxViews: given.max_views ?? null,
    maxDownloads: given.max_downloads ?? null,
    accept: given.accept ?? [],
    maxBytes: given.max_bytes ?? null,
    maxFiles: given.max_files ?? null,
    createdBy: origin.actor,
    expiresAt,
  };
  sendInsert(tx, Share, share);
  await record(tx, origin, { type: 'dam.share.created', resourceId: id, data: factsOf(share) });
  return commitWith(tx, () => tx.findOneByOrFail(Share, { projectId, id }));
}

/** @returns the object to share, or null for a collection */
async function requireTarget(
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
    (kind === 'upload' ? requireManual : requireLive)(collection);
  }
  return null;
}

/** @throws Problem 409 if the project has too many shares */
async function requireRoom(tx: Tx, projectId: string): Promise<void> {
  send(tx, `SELECT pg_advisory_xact_lock(hashtextextended('shares ' || $1, 0))`, [projectId]);
  const max = limits.shares_per_project;
  if ((await countShares(tx, { state: ['active', 'used_up'] })) < max) return;
  const detail = `The project already has ${pluralise(max, 'share')}, the maximum. Revoke one first.`;
  throw new Problem('state_conflict', detail, { extra: { limit: max } });
}
