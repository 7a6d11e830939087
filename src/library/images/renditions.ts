import { notAvailable, Problem } from '@scriptorium/contracts/problems';
import type { RenditionName } from '@scriptorium/contracts/wire/library/images';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Image } from '../../entities/images/image.ts';
import type { Rendition } from '../../entities/images/rendition.ts';
import type { ObjectState } from '../../entities/library/stored-object.ts';

/** An image's formats of one rendition, if any exist. */
type ImageRenditions = Pick<Image, 'id' | 'objectId' | 'processing' | 'error'> & {
  state: ObjectState;
  formats: Pick<Rendition, 'mime' | 'sha256' | 'bytes'>[];
};

/** A rendition of an image of a project, in the trash or not; null if the image does not exist. */
export async function findRendition(
  tx: Tx,
  projectId: string,
  imageId: string,
  name: RenditionName,
): Promise<ImageRenditions | null> {
  const [found] = await prepared<ImageRenditions>(
    tx,
    `SELECT i.id, i.object_id AS "objectId", i.processing, i.error, o.state,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('mime', r.mime, 'sha256', r.sha256, 'bytes', r.bytes)), '[]')
        FROM rendition r WHERE r.project_id = i.project_id AND r.image_id = i.id AND r.name = $3) AS formats
     FROM image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id
     WHERE i.project_id = $1 AND i.id = $2`,
    [projectId, imageId, name],
  );
  return found ?? null;
}

/**
 * Requires that an image is outside the trash and has renditions.
 * @throws Problem 409 `state_conflict`, `retryable` while a worker is making them
 */
export function requireRenditions(image: ImageRenditions): void {
  if (image.state !== 'available') throw notAvailable('image', image);
  if (image.formats.length > 0) return;
  if (image.processing) {
    throw new Problem('state_conflict', `The renditions of '${image.id}' are being made.`, {
      retryable: true,
      headers: { 'Retry-After': '2' },
    });
  }
  const reason = image.error?.message ?? 'No rendition has this name.';
  throw new Problem('state_conflict', `'${image.id}' has no renditions. ${reason}`);
}
