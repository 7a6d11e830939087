import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { type CollectionWithPath, findCollection } from '../collections/load.ts';
import { refColumns } from '../collections/members/load.ts';
import { findSmartCollections } from '../collections/smart.ts';
import { findImageId } from '../images/load.ts';
import { findObject, objectColumns } from '../objects/load.ts';

/** A file that a link shows. */
export interface SharedFile {
  object: StoredObject;
  imageId: string | null;
  /** Of the image. */
  title: string | null;
  altText: string | null;
}

/**
 * The shared collection, or one below it; null for any other collection, and for one in the trash.
 */
export async function findSharedCollection(
  tx: Tx,
  { projectId, collectionId }: Share,
  id = collectionId,
): Promise<CollectionWithPath | null> {
  const collection = id === null ? null : await findCollection(tx, projectId, id);
  // Collections below one in the trash are in the trash too.
  if (collection?.state !== 'available') return null;
  return collection.path.some((above) => above.id === collectionId) ? collection : null;
}

/**
 * A file that a link currently shows; null for any other object, and for one that is not available.
 */
export async function findSharedFile(
  tx: Tx,
  share: Share,
  objectId: string,
): Promise<SharedFile | null> {
  const { projectId } = share;
  // A link for uploads shows nothing, not even the uploads.
  if (share.kind === 'upload') return null;
  const object = await findObject(tx, projectId, objectId);
  if (object?.state !== 'available') return null;
  const imageId = await findImageId(tx, projectId, objectId);
  const isShared = share.objectId
    ? share.objectId === objectId
    : await isInSharedCollection(tx, share, objectId, imageId);
  if (!isShared) return null;
  const [file = null] = await loadSharedFiles(tx, projectId, [
    imageId
      ? { resource_type: 'image', resource_id: imageId }
      : { resource_type: 'object', resource_id: objectId },
  ]);
  return file;
}

/** The available files of a collection's members, in order, each once. */
export async function loadSharedFiles(
  tx: Tx,
  projectId: string,
  refs: readonly MemberRef[],
): Promise<SharedFile[]> {
  const rows = await prepared<
    StoredObject & { imageId: string | null; title: string | null; altText: string | null }
  >(
    tx,
    `SELECT object.*, i.id AS "imageId", i.title, i.alt_text AS "altText"
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS r (type, id, place)
     LEFT JOIN image named ON r.type = 'image' AND named.project_id = $1 AND named.id = r.id
     JOIN LATERAL (SELECT ${objectColumns} FROM object
       WHERE project_id = $1 AND id = coalesce(named.object_id, r.id) AND state = 'available') object
       ON true
     LEFT JOIN image i ON i.project_id = $1 AND i.object_id = object.id
     ORDER BY r.place`,
    [projectId, ...refColumns(refs)],
  );
  const files = rows.map(({ imageId, title, altText, ...object }) => {
    return { object, imageId, title, altText };
  });
  return [...new Map(files.map((file) => [file.object.id, file])).values()];
}

/** Whether an object is in the shared collection, or in one below it. */
async function isInSharedCollection(
  tx: Tx,
  { projectId, collectionId }: Share,
  objectId: string,
  imageId: string | null,
): Promise<boolean> {
  const holders = await prepared<{ id: string }>(
    tx,
    `SELECT collection_id AS id FROM collection_member
     WHERE project_id = $1 AND hidden = false AND (resource_type = 'object' AND resource_id = $2
       OR resource_type = 'image' AND resource_id = $3)`,
    [projectId, objectId, imageId],
  );
  const ids = holders.map(({ id }) => id);
  if (await isAnyInside(tx, projectId, ids, collectionId)) return true;
  if (imageId === null) return false;
  const image = { resource_type: 'image', resource_id: imageId } as const;
  const smartIds = await findSmartCollections(tx, projectId, [image]);
  return isAnyInside(tx, projectId, smartIds, collectionId);
}

/** Whether one of these collections is the given one or inside it, outside the trash. */
async function isAnyInside(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
  rootId: string | null,
): Promise<boolean> {
  if (ids.length === 0) return false;
  const [row] = await prepared<{ found: boolean }>(
    tx,
    `WITH RECURSIVE up (id, parent_id) AS (
       SELECT id, parent_id FROM collection
       WHERE project_id = $1 AND id = ANY($2) AND state = 'available'
       UNION
       SELECT p.id, p.parent_id FROM up
       JOIN collection p ON p.project_id = $1 AND p.id = up.parent_id AND p.state = 'available')
     SELECT EXISTS (SELECT FROM up WHERE id = $3) AS found`,
    [projectId, ids, rootId],
  );
  return row?.found ?? false;
}
