import type { Origin } from '../../contracts/origin.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import type { Signing } from '../../policies/decision/fact-table.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { enforce, enforceEach } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { chooseDelivery, type DownloadContent } from '../objects/delivery.ts';
import { chooseShown } from '../objects/pages/page-image.ts';

type Life = Pick<Share, 'createdAt' | 'expiresAt'>;

/** How policies see the use of a link: as a signed URL that is valid as long as the share. */
export function signingOf({ createdAt, expiresAt }: Life): Signing {
  const ms = expiresAt ? expiresAt.getTime() - createdAt.getTime() : Number.POSITIVE_INFINITY;
  return { signed: true, ttlSeconds: Math.ceil(ms / 1_000) };
}

/**
 * Requires that policies let a link lead to an object. Asked when an object is shared and at each use:
 * members of a collection change, and so do policies.
 * @throws PolicyDenied (403)
 */
export async function requireSignable(
  tx: Tx,
  origin: Origin,
  objectId: string,
  life: Life,
): Promise<void> {
  await enforce(tx, origin, { action: 'sign', objectId, signing: signingOf(life) });
}

/**
 * The object that a visitor sees in place of this one: itself, or its redaction.
 * @throws PolicyDenied (403)
 */
export async function shownThrough(
  tx: Tx,
  origin: Origin,
  share: Share,
  object: StoredObject,
): Promise<StoredObject> {
  await requireSignable(tx, origin, object.id, share);
  return chooseShown(tx, origin, object);
}

/** The same for many, in few queries; without those that policies do not let visitors see. */
export async function eachShownThrough(
  tx: Tx,
  origin: Origin,
  share: Share,
  objects: readonly StoredObject[],
): Promise<Map<string, StoredObject>> {
  const { projectId } = share;
  const ids = objects.map(({ id }) => id);
  const signing = await loadPolicies(tx, projectId, 'sign');
  const unsigned = await enforceEach(tx, origin, 'sign', ids, signing, signingOf(share));
  const left = objects.filter(({ id }) => !unsigned.has(id));
  const reading = await loadPolicies(tx, projectId, 'read');
  const leftIds = left.map(({ id }) => id);
  const unread = await enforceEach(tx, origin, 'read', leftIds, reading);
  const shown = new Map<string, StoredObject>();
  for (const object of left) {
    if (!unread.has(object.id)) shown.set(object.id, object);
    else {
      const redaction = await redactionOf(tx, origin, object);
      if (redaction) shown.set(object.id, redaction);
    }
  }
  return shown;
}

async function redactionOf(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
): Promise<StoredObject | null> {
  try {
    return await chooseShown(tx, origin, object);
  } catch (error) {
    if (error instanceof PolicyDenied) return null;
    throw error;
  }
}

/**
 * What a visitor downloads in place of an object.
 * @throws PolicyDenied (403)
 */
export async function deliveredThrough(
  tx: Tx,
  origin: Origin,
  share: Share,
  object: StoredObject,
): Promise<DownloadContent> {
  await requireSignable(tx, origin, object.id, share);
  return chooseDelivery(tx, origin, object, signingOf(share));
}
