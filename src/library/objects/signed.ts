import type { Origin } from '../../contracts/origin.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { findObject, requireAvailable } from './load.ts';

/**
 * Whether a URL for an object may be made. This is the one place where policies of the action `sign`
 * meet it.
 * @throws Problem 409 `state_conflict` for what is not available
 */
export async function requireSignable(
  _tx: Tx,
  _origin: Origin,
  object: StoredObject,
  _ttlSeconds: number,
): Promise<void> {
  requireAvailable(object);
}

/**
 * The object that a signed URL delivers, by what was signed; null when there is nothing to deliver
 * any more. This is the one place where policies of the action `download` meet the use of one.
 */
export async function findDeliverable(
  tx: Tx,
  origin: Origin,
  objectId: string,
): Promise<StoredObject | null> {
  const object = await findObject(tx, origin.projectId, objectId);
  return object?.state === 'available' ? object : null;
}
