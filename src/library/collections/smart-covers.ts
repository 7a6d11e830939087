import { coverMembers, type MemberRef } from '@scriptorium/contracts/wire/library/collections';
import type { ImageFilters } from '@scriptorium/contracts/wire/library/images';
import { Conditions } from '../../db/statements/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { addImageConditions } from '../images/search/filters.ts';

/**
 * The number of newest images that are tested. It bounds the time for a list, whatever the queries.
 */
const maxImagesTested = 2_000;

/**
 * The pictures for the covers of smart collections: for each one, the newest images with a
 * thumbnail that its query finds among the newest of the project. One statement tests all queries.
 */
export async function findSmartCovers(
  tx: Tx,
  projectId: string,
  collections: readonly { id: string; query: ImageFilters }[],
): Promise<Map<string, MemberRef[]>> {
  if (collections.length === 0) return new Map();
  const values: unknown[] = [projectId];
  const coverQueries = collections.map(({ id, query: filters }) => {
    const where = new Conditions(values);
    addImageConditions(filters, where, 'n');
    return `SELECT ${where.bind(id)} AS id, ARRAY(
      SELECT n.image_id FROM newest n WHERE ${where.sql()}
        AND EXISTS (SELECT FROM rendition r
          WHERE r.project_id = $1 AND r.image_id = n.image_id AND r.name = 'thumb')
      ORDER BY n.created_at DESC, n.image_id DESC LIMIT ${coverMembers}) AS images`;
  });
  const rows = await query<{ id: string; images: string[] }>(
    tx,
    `WITH newest AS MATERIALIZED (
       SELECT * FROM image_search WHERE project_id = $1 AND NOT trashed
       ORDER BY created_at DESC, image_id DESC LIMIT ${maxImagesTested})
     ${coverQueries.join(' UNION ALL ')}`,
    values,
  );
  return new Map(rows.map(({ id, images }) => [id, images.map(imageRef)]));
}

const imageRef = (id: string): MemberRef => ({ resource_type: 'image', resource_id: id });
