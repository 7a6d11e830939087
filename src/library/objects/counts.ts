import type { ObjectFacets, ObjectMonth } from '../../contracts/wire/library/objects.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { tagsShown } from '../images/search/counters.ts';
import { type Caller, matching, type ObjectFilters } from './conditions.ts';

/** The exact number of matching objects. */
export async function countObjects(
  tx: Tx,
  caller: Caller,
  filters: ObjectFilters,
): Promise<number> {
  const values: unknown[] = [];
  const found = await matching(tx, caller, filters, values);
  const [row] = await query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM ${found}`,
    values,
  );
  return row?.total ?? 0;
}

/** The matching objects by media type and by tag. A facet ignores its own alternatives. */
export async function countObjectFacets(
  tx: Tx,
  caller: Caller,
  filters: ObjectFilters,
): Promise<ObjectFacets> {
  const ofTypes: unknown[] = [];
  const anyType = await matching(tx, caller, { ...filters, mime: undefined }, ofTypes);
  const tags = filters.tags?.filter(({ not, anyOf }) => not || anyOf.length === 1);
  const ofTags: unknown[] = [];
  const anyTag = await matching(tx, caller, { ...filters, tags }, ofTags);
  const [mime, tag] = await Promise.all([
    query<ObjectFacets['mime'][number]>(
      tx,
      `SELECT mime AS value, count(*) AS count FROM ${anyType}
       GROUP BY mime ORDER BY count(*) DESC, mime`,
      ofTypes,
    ),
    query<ObjectFacets['tag'][number]>(
      tx,
      `SELECT tag AS value, count(*) AS count FROM (
         SELECT unnest(tags) COLLATE "C" AS tag FROM ${anyTag}) tags
       GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsShown}`,
      ofTags,
    ),
  ]);
  return { mime, tag };
}

/** The matching objects by the month in which they were added, newest first. */
export async function countObjectMonths(
  tx: Tx,
  caller: Caller,
  filters: ObjectFilters,
): Promise<ObjectMonth[]> {
  const values: unknown[] = [];
  const found = await matching(tx, caller, filters, values);
  return query<ObjectMonth>(
    tx,
    `SELECT to_char(start, 'YYYY-MM') AS month, count FROM (
       SELECT date_trunc('month', created_at AT TIME ZONE 'UTC') AS start, count(*) AS count
       FROM ${found} GROUP BY start) months
     ORDER BY start DESC`,
    values,
  );
}

/** How many objects outside the trash are derived from each of these; those without any are left out. */
export async function countDerived(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await prepared<{ id: string; count: number }>(
    tx,
    `SELECT derived_from AS id, count(*)::integer AS count FROM object
     WHERE project_id = $1 AND derived_from = ANY($2::text[]) AND state <> 'trashed'
     GROUP BY derived_from`,
    [projectId, ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
