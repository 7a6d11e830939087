import { isDeepStrictEqual } from 'node:util';
import type { NewEvent } from '@scriptorium/contracts/events';
import type { Origin } from '@scriptorium/contracts/origin';
import { prepared, query, send, sendPlanned, type Tx } from '../db/transaction.ts';
import type { ObjectState, StoredObject } from '../entities/library/stored-object.ts';
import { record } from '../outbox/record.ts';
import { holdObjects, lockScopes } from '../policies/facts/holds.ts';
import { lockObject } from './objects/load.ts';

/** The editable details of an object and its image. The first three are the object's. */
interface Details {
  filename: string;
  tags: string[];
  metadata: Record<string, unknown>;
  title: string | null;
  description: string | null;
  altText: string | null;
  rating: number | null;
}

/** An object with its image, if any. A change of their details may affect both. */
export interface Pair extends Details {
  objectId: string;
  imageId: string | null;
  state: ObjectState;
  /** The version of the image, which increases with every change of either. */
  version: number;
}

/** The pair of an image. */
export type ImagePair = Pair & { imageId: string };

const objectFields = ['filename', 'tags', 'metadata'] as const;
const imageFields = ['title', 'description', 'altText', 'rating'] as const;

const pairColumns = `o.id AS "objectId", i.id AS "imageId", o.state, o.version + i.version AS version,
  o.filename, o.tags, o.metadata, i.title, i.description, i.alt_text AS "altText", i.rating`;

/**
 * Locks images with their objects until the transaction ends: objects by identifier, then images by
 * identifier, as all transactions do. Those that do not exist are omitted. Reads sent after it see
 * the commits of previous holders of the locks.
 */
export function lockPairs(tx: Tx, projectId: string, imageIds: readonly string[]): void {
  const values = [projectId, imageIds];
  sendPlanned(
    tx,
    `SELECT count(*) FROM (
       SELECT 1 FROM object WHERE project_id = $1 AND id IN (
         SELECT object_id FROM image WHERE project_id = $1 AND id = ANY($2))
       ORDER BY id FOR NO KEY UPDATE) locked`,
    values,
  );
  sendPlanned(
    tx,
    `SELECT count(*) FROM (
       SELECT 1 FROM image WHERE project_id = $1 AND id = ANY($2)
       ORDER BY id FOR NO KEY UPDATE) locked`,
    values,
  );
}

/** Pairs by the identifiers of their images; those that do not exist are omitted. */
export async function loadPairs(
  tx: Tx,
  projectId: string,
  imageIds: readonly string[],
): Promise<Map<string, ImagePair>> {
  const pairs = await query<ImagePair>(
    tx,
    `SELECT ${pairColumns} FROM image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id
     WHERE i.project_id = $1 AND i.id = ANY($2)`,
    [projectId, imageIds],
  );
  return new Map(pairs.map((pair) => [pair.imageId, pair]));
}

/** The pair of an image, locked until the transaction ends, or null. */
export async function lockPair(
  tx: Tx,
  projectId: string,
  imageId: string,
): Promise<ImagePair | null> {
  lockPairs(tx, projectId, [imageId]);
  const pairs = await loadPairs(tx, projectId, [imageId]);
  return pairs.get(imageId) ?? null;
}

/** The data that an image adds to those of its object. */
type ImageDetails = Pick<Pair, (typeof imageFields)[number] | 'version'> & { imageId: string };

/** Locks the image of an object until the transaction ends. The object must already be locked. */
async function lockImageOf(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<ImageDetails | null> {
  const [image] = await prepared<ImageDetails>(
    tx,
    `SELECT id AS "imageId", version, title, description, alt_text AS "altText", rating
     FROM image WHERE project_id = $1 AND object_id = $2 FOR NO KEY UPDATE`,
    [projectId, objectId],
  );
  return image ?? null;
}

const emptyImageDetails = {
  imageId: null,
  version: 0,
  title: null,
  description: null,
  altText: null,
  rating: null,
};

function pairOf(object: StoredObject, image: ImageDetails | null): Pair {
  const { id: objectId, state, filename, tags, metadata, version } = object;
  const imageDetails = image ?? emptyImageDetails;
  return {
    ...imageDetails,
    objectId,
    state,
    filename,
    tags,
    metadata,
    version: version + imageDetails.version,
  };
}

/** The pair of a locked object; locks its image. */
export async function completePair(tx: Tx, object: StoredObject): Promise<Pair> {
  return pairOf(object, await lockImageOf(tx, object.projectId, object.id));
}

/** An object with its pair. */
export interface ObjectWithPair {
  object: StoredObject;
  pair: Pair;
  /** The version of the object. */
  version: number;
}

/** An object and its pair, both rows locked until the transaction ends, or null. */
export async function lockObjectWithPair(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<ObjectWithPair | null> {
  // In one packet: the second statement waits for the lock of the first.
  const [object, image] = await Promise.all([
    lockObject(tx, projectId, objectId),
    lockImageOf(tx, projectId, objectId),
  ]);
  return object && { object, pair: pairOf(object, image), version: object.version };
}

/** The new details; omitted ones are left unchanged. */
export type NewDetails = { [Field in keyof Details]?: Details[Field] | undefined };

/** A change of a pair. */
export interface Change {
  pair: Pair;
  wanted: NewDetails;
}

const changeObjectSql = `UPDATE object SET filename = coalesce($3, filename), tags = coalesce($4, tags),
    metadata = coalesce($5, metadata), updated_at = now(), version = version + 1
  WHERE project_id = $1 AND id = $2`;

const changeImagesSql = `UPDATE image i SET title = u.title, description = u.description,
    alt_text = u."altText", rating = u.rating, updated_at = now(), version = version + u.rise
  FROM jsonb_to_recordset($2)
    AS u (id text, rise integer, title text, description text, "altText" text, rating smallint)
  WHERE i.project_id = $1 AND i.id = u.id`;

/**
 * Changes details of locked pairs; no other function may. Writes rows, versions and events of both.
 * If nothing differs, the version stays the same and nothing is recorded.
 * @returns for each change whether anything differed, and the image's version
 */
export async function changeDetails(
  tx: Tx,
  origin: Origin,
  changes: readonly Change[],
): Promise<{ changed: boolean; version: number }[]> {
  const objects: ({ id: string } & Partial<Details>)[] = [];
  const images: object[] = [];
  const retaggedIds: string[] = [];
  const events: NewEvent[] = [];
  const outcomes = changes.map(({ pair, wanted }) => {
    const differs = (field: keyof Details): boolean =>
      wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], pair[field]);
    const objectChanges = objectFields.filter(differs);
    const imageChanges = pair.imageId === null ? [] : imageFields.filter(differs);
    if (objectChanges.length > 0) {
      const values = objectChanges.map((field) => [field, wanted[field]]);
      objects.push({ id: pair.objectId, ...Object.fromEntries(values) });
    }
    if (objectChanges.includes('tags')) retaggedIds.push(pair.objectId);
    if (imageChanges.length > 0) {
      const values = imageFields.map((field) => [field, (differs(field) ? wanted : pair)[field]]);
      // An image's version is the sum of both rows' versions: a change increases one of them.
      const rise = objectChanges.length > 0 ? 0 : 1;
      images.push({ id: pair.imageId, rise, ...Object.fromEntries(values) });
    }
    events.push(...eventsOf(pair, wanted, objectChanges, imageChanges));
    const changed = objectChanges.length > 0 || imageChanges.length > 0;
    return { changed, version: pair.version + Number(changed) };
  });
  if (retaggedIds.length > 0) lockScopes(tx, origin.projectId, 'shared');
  const [first] = objects;
  // A single object is updated by its key, with a statement that is planned once.
  if (first && objects.length === 1) {
    send(tx, changeObjectSql, [
      origin.projectId,
      first.id,
      first.filename ?? null,
      first.tags ?? null,
      first.metadata === undefined ? null : JSON.stringify(first.metadata),
    ]);
  } else if (objects.length > 1) {
    sendPlanned(
      tx,
      `UPDATE object o SET filename = coalesce(u.filename, o.filename), tags = coalesce(u.tags, o.tags),
         metadata = coalesce(u.metadata, o.metadata), updated_at = now(), version = version + 1
       FROM jsonb_to_recordset($2) AS u (id text, filename text, tags text[], metadata jsonb)
       WHERE o.project_id = $1 AND o.id = u.id`,
      [origin.projectId, JSON.stringify(objects)],
    );
  }
  // Objects that get a legal hold or a retention through a tag keep it.
  if (retaggedIds.length > 0) await holdObjects(tx, origin.projectId, retaggedIds);
  const values = [origin.projectId, JSON.stringify(images)];
  if (images.length === 1) send(tx, changeImagesSql, values);
  else if (images.length > 1) sendPlanned(tx, changeImagesSql, values);
  if (events.length > 0) await record(tx, origin, ...events);
  return outcomes;
}

const wireNames: Partial<Record<keyof Details, string>> = { altText: 'alt_text' };

function eventsOf(
  pair: Pair,
  newDetails: NewDetails,
  objectChanges: readonly (keyof Details)[],
  imageChanges: readonly (keyof Details)[],
): NewEvent[] {
  const events: NewEvent[] = [];
  if (objectChanges.length > 0) {
    const data = { changed: [...objectChanges] };
    events.push({ type: 'dam.object.updated', resourceId: pair.objectId, data });
  }
  if (pair.imageId === null) return events;
  const tags = objectChanges.includes('tags') ? (newDetails.tags ?? pair.tags) : pair.tags;
  const added = tags.filter((tag) => !pair.tags.includes(tag));
  const removed = pair.tags.filter((tag) => !tags.includes(tag));
  const otherFields = [...objectChanges, ...imageChanges]
    // A different order of tags adds and removes nothing.
    .filter((field) => field !== 'tags' || added.length + removed.length === 0)
    .map((field) => wireNames[field] ?? field);
  if (otherFields.length > 0) {
    const data = { changed: otherFields };
    events.push({ type: 'dam.image.updated', resourceId: pair.imageId, data });
  }
  if (added.length + removed.length > 0) {
    const data = { added, removed };
    events.push({ type: 'dam.image.tags_changed', resourceId: pair.imageId, data });
  }
  return events;
}
