import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import {
  type Fault,
  Problem,
  referenceNotFound,
  validationFailed,
} from '@scriptorium/contracts/problems';
import type { NewPack, PackFilter } from '@scriptorium/contracts/wire/packs';
import type { Position } from '../../db/statements/keyset.ts';
import { query, type Tx } from '../../db/transaction.ts';
import {
  type CollectionWithPath,
  findCollection,
  requireNotTrashed,
} from '../../library/collections/load.ts';
import { listSmartMembers } from '../../library/collections/smart.ts';
import { noWordsCode, termFaults, withPointers } from '../../library/filter-faults.ts';
import type { ImagePosition } from '../../library/images/search/search.ts';
import { prepareSearch, type SearchCaller } from '../../library/objects/conditions.ts';
import { listObjects } from '../../library/objects/list.ts';
import { parseTagFilters } from '../../library/tag-filter.ts';

const batchSize = 1_000;

/**
 * The objects that a pack is made from, each once; at most one more than allowed.
 * @throws Problem 409 for a collection in the trash, 422 for an invalid source or a missing
 *   reference
 */
export async function documentsOf(
  tx: Tx,
  origin: Origin & SearchCaller,
  source: NewPack['source'],
): Promise<string[]> {
  const { collection_id: collectionId, object_ids: ids, filter } = source;
  if ([collectionId, ids, filter].filter((selector) => selector !== undefined).length !== 1) {
    const detail = 'It must have exactly one of `collection_id`, `object_ids` and `filter`.';
    throw validationFailed([{ pointer: '/source', code: 'one_of', detail }]);
  }
  const objectIds = collectionId
    ? await objectsInCollection(tx, origin, collectionId)
    : filter
      ? await objectsMatching(tx, origin, filter)
      : await requireObjects(tx, origin, ids!);
  const problemOf = (code: string, detail: string): Problem =>
    validationFailed([{ pointer: '/source', code, detail }]);
  if (objectIds.length === 0) throw problemOf('no_documents', 'It has no objects.');
  if (objectIds.length > limits.pack_documents) {
    const detail = `It has more than ${limits.pack_documents} objects, which is the maximum.`;
    throw problemOf('too_many_documents', detail);
  }
  return objectIds;
}

async function requireObjects(
  tx: Tx,
  { projectId }: Origin,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'SELECT id FROM object WHERE project_id = $1 AND id = ANY($2)',
    [projectId, ids],
  );
  const existing = new Set(rows.map(({ id }) => id));
  const missing = ids.flatMap((id, at) => (existing.has(id) ? [] : [{ id, at }]));
  if (missing.length === 0) return [...ids];
  const [first] = missing;
  if (missing.length === 1) throw referenceNotFound(`/source/object_ids/${first!.at}`, first!.id);
  const errors = missing.map(({ id, at }): Fault => {
    const detail = `'${id}' was not found.`;
    return { pointer: `/source/object_ids/${at}`, code: 'reference_not_found', detail };
  });
  const detail = `${missing.length} of the objects were not found.`;
  throw new Problem('reference_not_found', detail, { errors });
}

async function objectsInCollection(tx: Tx, origin: Origin, id: string): Promise<string[]> {
  const collection = await findCollection(tx, origin.projectId, id);
  if (!collection) throw referenceNotFound('/source/collection_id', id);
  requireNotTrashed(collection);
  if (collection.kind === 'smart') return objectsInSmartCollection(tx, origin, collection);
  const rows = await query<{ id: string }>(
    tx,
    `SELECT DISTINCT coalesce(i.object_id, m.resource_id) AS id
     FROM collection_member m LEFT JOIN image i ON m.resource_type = 'image'
       AND i.project_id = m.project_id AND i.id = m.resource_id
     WHERE m.project_id = $1 AND m.collection_id = $2 AND m.hidden = false
     LIMIT ${limits.pack_documents + 1}`,
    [origin.projectId, id],
  );
  return rows.map((row) => row.id);
}

/** The objects of the images that a smart collection finds. */
async function objectsInSmartCollection(
  tx: Tx,
  origin: Origin,
  collection: CollectionWithPath,
): Promise<string[]> {
  const images: string[] = [];
  for (let after: ImagePosition | null = null; images.length <= limits.pack_documents; ) {
    const batch = await listSmartMembers(tx, collection, { after, limit: batchSize });
    images.push(...batch.map((image) => image.id));
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) break;
    after = [last.position, last.id];
  }
  const rows = await query<{ id: string }>(
    tx,
    'SELECT object_id AS id FROM image WHERE project_id = $1 AND id = ANY($2)',
    [origin.projectId, images],
  );
  return rows.map((row) => row.id);
}

async function objectsMatching(
  tx: Tx,
  caller: SearchCaller,
  filter: PackFilter,
): Promise<string[]> {
  const faults = termFaults(filter).filter(({ code }) => code !== noWordsCode);
  if (faults.length > 0) throw validationFailed(withPointers('/source/filter', faults));
  const { created_after: since, created_before: until } = filter;
  const filters = {
    state: ['available' as const],
    mime: filter.mime,
    q: filter.q,
    source: filter.source,
    kind: filter.kind,
    tags: parseTagFilters(filter.tag),
    derivedFrom: filter.derived_from,
    createdAfter: since ? new Date(since) : undefined,
    createdBefore: until ? new Date(until) : undefined,
  };
  const search = await prepareSearch(tx, caller, filters);
  const ids: string[] = [];
  for (let after: Position | null = null; ids.length <= limits.pack_documents; ) {
    const page = { sort: 'created_at' as const, after, limit: batchSize };
    const batch = await listObjects(tx, search, page);
    ids.push(...batch.map((object) => object.id));
    const last = batch.at(-1);
    if (!last || batch.length < batchSize) break;
    after = [last.position, last.id];
  }
  return ids;
}
