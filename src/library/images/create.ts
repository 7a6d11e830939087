import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { imageMimes } from '@scriptorium/contracts/wire/library/images';
import { send, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Whether an object of this type has an image. */
export function isImageMime(mime: string): boolean {
  return (imageMimes as readonly string[]).includes(mime);
}

/**
 * Creates the image of an object in the transaction that makes the object available; a worker fills
 * in what it reads from the picture. Does nothing for other types of object.
 * @returns the identifier of the image, or null
 */
export async function createImage(
  tx: Tx,
  origin: Origin,
  object: Pick<StoredObject, 'id' | 'filename' | 'mime'>,
): Promise<string | null> {
  if (!isImageMime(object.mime)) return null;
  const id = newId('image');
  send(tx, 'INSERT INTO image (id, project_id, object_id) VALUES ($1, $2, $3)', [
    id,
    origin.projectId,
    object.id,
  ]);
  await schedule(tx, origin.projectId, id, { kind: 'image.read', payload: { image_id: id } });
  await record(tx, origin, {
    type: 'dam.image.created',
    resourceId: id,
    data: { object_id: object.id, filename: object.filename, mime: object.mime },
  });
  return id;
}
