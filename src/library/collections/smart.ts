import type { MemberRef } from '../../contracts/wire/collections.ts';
import type { ImageFilters } from '../../contracts/wire/images.ts';
import { Conditions } from '../../db/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import type { Collection } from '../../entities/collection.ts';
import { imageConditions } from '../images/filters.ts';

/**
 * The smart collections out of the trash whose query finds one of these resources: only images are
 * found by queries. All queries are asked in one statement, of the one row of the image.
 */
export async function findSmartHolders(
  tx: Tx,
  projectId: string,
  refs: readonly MemberRef[],
): Promise<string[]> {
  const image = refs.find((ref) => ref.resource_type === 'image');
  if (!image) return [];
  const collections = await prepared<{ id: string; query: ImageFilters }>(
    tx,
    `SELECT id, query FROM collection
     WHERE project_id = $1 AND kind = 'smart' AND state = 'available' ORDER BY id`,
    [projectId],
  );
  if (collections.length === 0) return [];
  const values: unknown[] = [];
  const finds = collections.map((collection) => {
    const where = new Conditions(values);
    imageConditions(collection.query, where, 's');
    return `coalesce(${where.sql()}, false)`;
  });
  values.push(image.resource_id);
  const [row] = await query<{ found: boolean[] }>(
    tx,
    `SELECT ARRAY[${finds.join(', ')}] AS found FROM image_search s WHERE s.image_id = $${values.length}`,
    values,
  );
  return collections.filter((_, at) => row?.found[at]).map(({ id }) => id);
}

/** How many images a smart collection's query finds now. */
export async function countSmartMembers(tx: Tx, collection: Collection): Promise<number> {
  const where = new Conditions();
  imageConditions(collection.query ?? {}, where);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM image_search WHERE ${where.sql()}`,
    where.values,
  );
  return row?.n ?? 0;
}
