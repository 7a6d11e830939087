import type { Origin } from '../../contracts/origin.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { enforce } from '../../policies/enforce.ts';
import { chooseDelivery, type Delivery } from './delivery.ts';
import { findObject, requireAvailable } from './load.ts';

/**
 * Whether a URL for an object may be made. This is the one place where policies of the action `sign`
 * meet it.
 * @throws PolicyDenied (403), Problem 409 `state_conflict` for what is not available
 */
export async function requireSignable(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  ttlSeconds: number,
): Promise<void> {
  const signing = { signed: true, ttlSeconds } as const;
  await enforce(tx, origin, { action: 'sign', objectId: object.id, signing });
  requireAvailable(object);
}

/**
 * What a signed URL delivers that is good for so long in all; null when there is nothing to deliver
 * any more. This is the one place where policies of the action `download` meet the use of one.
 * @throws PolicyDenied (403)
 */
export async function findDeliverable(
  tx: Tx,
  origin: Origin,
  objectId: string,
  ttlSeconds: number,
): Promise<Delivery | null> {
  const object = await findObject(tx, origin.projectId, objectId);
  if (object?.state !== 'available') return null;
  return chooseDelivery(tx, origin, object, { signed: true, ttlSeconds });
}
