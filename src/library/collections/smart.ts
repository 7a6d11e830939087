import type { MemberRef } from '@scriptorium/contracts/wire/library/collections';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { Conditions } from '../../db/statements/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import type { Collection } from '../../entities/library/collection.ts';
import { countImages } from '../images/search/counts.ts';
import { addImageConditions, type SearchFilters } from '../images/search/filters.ts';
import {
  defaultSort,
  type FoundImage,
  type ImagePosition,
  searchImages,
} from '../images/search/search.ts';

/**
 * The smart collections outside the trash whose query finds one of these resources. Queries find
 * only images. One statement tests all queries on the one row of the image.
 */
export async function findSmartCollections(
  tx: Tx,
  projectId: string,
  refs: readonly MemberRef[],
): Promise<string[]> {
  const image = refs.find((ref) => ref.resource_type === 'image');
  if (!image) return [];
  const collections = await prepared<{ id: string; query: ImageFilters }>(
    tx,
    // A query that filters by a collection applies only if the collection contains the image, which
    // already satisfies that filter.
    `SELECT s.id, s.query - 'collection_id' AS query FROM collection s
     WHERE s.project_id = $1 AND s.kind = 'smart' AND s.state = 'available'
       AND (NOT s.query ? 'collection_id' OR EXISTS (
         SELECT FROM collection_member m
         JOIN collection c ON c.project_id = m.project_id AND c.id = m.collection_id
         WHERE m.project_id = $1 AND m.resource_type = 'image' AND m.resource_id = $2
           AND m.collection_id = s.query->>'collection_id' AND m.hidden = false
           AND c.state = 'available'))
     ORDER BY s.id`,
    [projectId, image.resource_id],
  );
  if (collections.length === 0) return [];
  const values: unknown[] = [];
  const conditions = collections.map((collection) => {
    const where = new Conditions(values);
    addImageConditions(collection.query, where, 's');
    return `coalesce(${where.sql()}, false)`;
  });
  values.push(image.resource_id);
  const [row] = await query<{ found: boolean[] }>(
    tx,
    `SELECT ARRAY[${conditions.join(', ')}] AS found FROM image_search s WHERE s.image_id = $${values.length}`,
    values,
  );
  return collections.filter((_, at) => row?.found[at]).map(({ id }) => id);
}

/** The number of members of a collection. That of a manual collection is stored. */
export async function countMembers(tx: Tx, collection: Collection): Promise<number> {
  const { projectId, query: filters } = collection;
  if (filters === null) return collection.memberCount;
  const include = { total: true, facets: false };
  return (await countImages(tx, projectId, filters, include)).total ?? 0;
}

/** The images that a smart collection's query finds, in the default order of a search. */
export function listSmartMembers(
  tx: Tx,
  collection: Collection,
  page: { after: ImagePosition | null; limit: number },
): Promise<FoundImage[]> {
  const filters = collection.query ?? {};
  return searchImages(tx, collection.projectId, filters, { sort: defaultSort(filters), ...page });
}

/**
 * The filters of a search, in which a smart collection is replaced by its query. A collection that is
 * in the trash or does not exist contains nothing.
 */
export async function resolveFilters(
  tx: Tx,
  projectId: string,
  filters: ImageFilters,
): Promise<SearchFilters> {
  const { collection_id: id, ...others } = filters;
  if (id === undefined) return filters;
  const [smart] = await prepared<{ query: ImageFilters }>(
    tx,
    `SELECT query FROM collection
     WHERE project_id = $1 AND id = $2 AND kind = 'smart' AND state = 'available'`,
    [projectId, id],
  );
  return smart ? { ...others, smart: smart.query } : filters;
}
