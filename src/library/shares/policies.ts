import type { Origin } from '@scriptorium/contracts/origin';
import type { Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import type { Signing } from '../../policies/decision/fact-table.ts';
import { PolicyDenied } from '../../policies/denials.ts';
import { enforceEach } from '../../policies/enforce.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { chooseDelivery, type DownloadContent } from '../objects/delivery.ts';
import { enforceOrRedact } from '../objects/enforce-or-redact.ts';
import { chooseShownObject } from '../objects/pages/page-image.ts';

type ShareLifetime = Pick<Share, 'createdAt' | 'expiresAt'>;

/**
 * Returns how policies treat the use of a link: as a signed URL that is valid as long as the share.
 */
function signingOf({ createdAt, expiresAt }: ShareLifetime): Signing {
  const ms = expiresAt ? expiresAt.getTime() - createdAt.getTime() : Number.POSITIVE_INFINITY;
  return { signed: true, ttlSeconds: Math.ceil(ms / 1_000) };
}

/**
 * The object that policies allow a link to show for this one: itself, or its redaction. Checked
 * when an object is shared and at each use, because members of a collection and policies change.
 * @throws PolicyDenied (403)
 */
export async function chooseSharedObject(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  lifetime: ShareLifetime,
): Promise<StoredObject> {
  const attempt = { action: 'sign', signing: signingOf(lifetime) } as const;
  return (await enforceOrRedact(tx, origin, object, attempt)).object;
}

/**
 * The object that a visitor sees for this one: itself, or its redaction.
 * @throws PolicyDenied (403)
 */
export async function chooseShownByShare(
  tx: Tx,
  origin: Origin,
  share: Share,
  object: StoredObject,
): Promise<StoredObject> {
  return chooseShownObject(tx, origin, await chooseSharedObject(tx, origin, object, share));
}

/**
 * The same for many objects, in few queries. Objects that policies hide from visitors are omitted.
 */
export async function chooseEachShownByShare(
  tx: Tx,
  origin: Origin,
  share: Share,
  objects: readonly StoredObject[],
): Promise<Map<string, StoredObject>> {
  const { projectId } = share;
  const objectIds = objects.map(({ id }) => id);
  const signing = await enforceEach(
    tx,
    origin,
    { action: 'sign', objectIds, signing: signingOf(share) },
    await loadPolicies(tx, projectId, 'sign'),
  );
  const reading = await enforceEach(
    tx,
    origin,
    {
      action: 'read',
      // Of the others, the redaction is read, or nothing.
      objectIds: objectIds.filter((id) => !signing.denied.has(id) && !signing.redacted.has(id)),
      replaceable: true,
    },
    await loadPolicies(tx, projectId, 'read'),
  );
  const shownObjects = new Map<string, StoredObject>();
  for (const object of objects) {
    const { id } = object;
    if (signing.denied.has(id) || reading.denied.has(id)) continue;
    const isRedacted = signing.redacted.has(id) || reading.redacted.has(id);
    const visible = isRedacted ? await redactionOf(tx, origin, share, object) : object;
    if (visible) shownObjects.set(id, visible);
  }
  return shownObjects;
}

async function redactionOf(
  tx: Tx,
  origin: Origin,
  share: Share,
  object: StoredObject,
): Promise<StoredObject | null> {
  try {
    return await chooseShownByShare(tx, origin, share, object);
  } catch (error) {
    if (error instanceof PolicyDenied) return null;
    throw error;
  }
}

/**
 * The content that a visitor downloads for an object.
 * @throws PolicyDenied (403)
 */
export async function chooseDeliveryByShare(
  tx: Tx,
  origin: Origin,
  share: Share,
  object: StoredObject,
): Promise<DownloadContent> {
  const signed = await chooseSharedObject(tx, origin, object, share);
  return chooseDelivery(tx, origin, signed, signingOf(share));
}
