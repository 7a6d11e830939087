import {
  type ImageRecord,
  renditionMimes,
  renditionNames,
} from '@scriptorium/contracts/wire/library/images';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Image } from '../../entities/images/image.ts';
import type { Rendition } from '../../entities/images/rendition.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';

/** An image with the fields of its object, and its renditions. */
export type LibraryImage = Omit<Image, 'version'> &
  Pick<StoredObject, 'state' | 'filename' | 'mime' | 'bytes' | 'sha256' | 'tags' | 'metadata'> & {
    /** Increases with every change of the image or its object. */
    version: number;
    renditions: Pick<Rendition, 'name' | 'mime' | 'bytes' | 'width' | 'height'>[];
  };

/** The columns of `image i JOIN object o` under the names of `LibraryImage`. */
const imageColumns = `i.project_id AS "projectId", i.id, i.object_id AS "objectId",
  i.processing, i.error, i.title, i.description, i.alt_text AS "altText", i.rating, i.width, i.height,
  i.orientation, i.captured_at AS "capturedAt", i.creator, i.copyright, i.camera, i.location,
  i.dominant_color AS "dominantColor", i.palette, i.blurhash, i.created_at AS "createdAt",
  greatest(i.updated_at, o.updated_at) AS "updatedAt", i.version + o.version AS version,
  o.state, o.filename, o.mime, o.bytes, o.sha256, o.tags, o.metadata,
  (SELECT coalesce(json_agg(json_build_object('name', r.name, 'mime', r.mime, 'bytes', r.bytes,
      'width', r.width, 'height', r.height)), '[]')
    FROM rendition r WHERE r.project_id = i.project_id AND r.image_id = i.id) AS renditions`;

const imageTables = 'image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id';

/** An image of a project, in the trash or not, or null. */
export async function findImage(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<LibraryImage | null> {
  const [image] = await prepared<LibraryImage>(
    tx,
    `SELECT ${imageColumns} FROM ${imageTables} WHERE i.project_id = $1 AND i.id = $2`,
    [projectId, id],
  );
  return image ?? null;
}

/**
 * Images of a project by their identifiers, in this order; those that do not exist are left out.
 */
export async function findImages(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<LibraryImage[]> {
  const found = await prepared<LibraryImage>(
    tx,
    `SELECT ${imageColumns} FROM ${imageTables} WHERE i.project_id = $1 AND i.id = ANY($2)`,
    [projectId, ids],
  );
  const byId = new Map(found.map((image) => [image.id, image]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The identifier of an object's image; null if the object has none. */
export async function findImageId(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<string | null> {
  const [image] = await prepared<{ id: string }>(
    tx,
    'SELECT id FROM image WHERE project_id = $1 AND object_id = $2',
    [projectId, objectId],
  );
  return image?.id ?? null;
}

/** An image as the API shows it. */
export function presentImage(image: LibraryImage): ImageRecord {
  return {
    id: image.id,
    project_id: image.projectId,
    state: image.state,
    processing: image.processing,
    error: image.error,
    object_id: image.objectId,
    title: image.title,
    description: image.description,
    alt_text: image.altText,
    tags: image.tags,
    metadata: image.metadata,
    rating: image.rating,
    filename: image.filename,
    mime: image.mime,
    bytes: image.bytes,
    sha256: image.sha256,
    width: image.width,
    height: image.height,
    orientation: image.orientation,
    captured_at: image.capturedAt?.toISOString() ?? null,
    creator: image.creator,
    copyright: image.copyright,
    camera: image.camera,
    location: image.location,
    dominant_color: image.dominantColor,
    palette: image.palette,
    blurhash: image.blurhash,
    renditions: presentRenditions(image),
    created_at: image.createdAt.toISOString(),
    updated_at: image.updatedAt.toISOString(),
    version: image.version,
  };
}

function presentRenditions(image: LibraryImage): ImageRecord['renditions'] {
  const renditions: ImageRecord['renditions'] = {};
  for (const name of renditionNames) {
    const formats = renditionMimes.flatMap(
      (mime) =>
        image.renditions.find((rendition) => rendition.name === name && rendition.mime === mime) ??
        [],
    );
    if (!formats[0]) continue;
    renditions[name] = {
      url: `/v1/images/${image.id}/renditions/${name}`,
      width: formats[0].width,
      height: formats[0].height,
      formats: formats.map(({ mime, bytes }) => ({ mime, bytes })),
    };
  }
  return renditions;
}
