import type { FacetValues, MonthCount } from '../../contracts/wire/library/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { mostFirst, sum, tagsShown } from '../images/search/counters.ts';
import type { ObjectFilters } from './conditions.ts';

/** Exact counts over all objects outside the trash. */
export interface ObjectCounts {
  total: number;
  mime: FacetValues;
  tag: FacetValues;
  months: MonthCount[];
}

/** Whether the counters have the counts of these filters. */
export function areCounted({ originals: _, ...filters }: ObjectFilters): boolean {
  return Object.values(filters).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
}

/**
 * The counts of everything outside the trash, from counters: what was folded, and what changed since.
 * With `originals`, objects derived from another of these are subtracted.
 */
export async function readObjectCounters(
  tx: Tx,
  projectId: string,
  originals: boolean,
): Promise<ObjectCounts> {
  const rows = await prepared<{ facet: string; value: string; count: number }>(
    tx,
    `WITH counted AS (
       SELECT facet, value, sum(count)::bigint AS count FROM (
         SELECT facet, value, count FROM object_count WHERE project_id = $1
         UNION ALL
         SELECT facet, value, delta FROM object_count_delta WHERE project_id = $1
         UNION ALL
         SELECT f.facet, f.value, -count(*)
         FROM object o, object_facets(o.state, o.mime, o.created_at, o.tags) f
         WHERE $2 AND o.project_id = $1 AND o.derived_from IS NOT NULL AND o.state <> 'trashed'
           AND EXISTS (SELECT FROM object s WHERE s.project_id = $1 AND s.id = o.derived_from
             AND s.state <> 'trashed')
         GROUP BY 1, 2) changes
       GROUP BY facet, value HAVING sum(count) > 0)
     SELECT facet, value, count FROM counted WHERE facet <> 'tag'
     UNION ALL
     (SELECT facet, value, count FROM counted WHERE facet = 'tag'
      ORDER BY count DESC, value LIMIT ${tagsShown})`,
    [projectId, originals],
  );
  const of = (facet: string): FacetValues =>
    rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }));
  return {
    total: sum(of('state').filter(({ value }) => value !== 'trashed')),
    mime: mostFirst(of('mime')),
    tag: mostFirst(of('tag')),
    months: of('month')
      .map(({ value, count }) => ({ month: value, count }))
      .sort((a, b) => (a.month < b.month ? 1 : -1)),
  };
}
