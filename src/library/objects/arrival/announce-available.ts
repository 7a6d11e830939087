import type { Origin } from '@scriptorium/contracts/origin';
import type { Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { createImage } from '../../images/create.ts';
import { scheduleReading } from './read-text.ts';

/**
 * Records the consequences of an object becoming available: its event, its image, and the reading
 * of its text.
 * @returns the identifier of the image, or null
 */
export async function announceAvailable(
  tx: Tx,
  origin: Origin,
  object: Pick<StoredObject, 'id' | 'filename' | 'mime' | 'bytes' | 'sha256' | 'derivedFrom'>,
): Promise<string | null> {
  const { id, filename, mime, bytes, sha256, derivedFrom } = object;
  await record(tx, origin, {
    type: 'dam.object.available',
    resourceId: id,
    data: { filename, mime, bytes, sha256, derived_from: derivedFrom },
  });
  const imageId = await createImage(tx, origin, object);
  await scheduleReading(tx, origin.projectId, object);
  return imageId;
}
