import type { FacetValues, MonthCount } from '@scriptorium/contracts/wire/library/objects';
import { prepared, type Tx } from '../../db/transaction.ts';
import { maxTagsShown, sortByCount, sumCounts } from '../images/search/counters.ts';
import type { ObjectFilters } from './conditions.ts';

/** Exact counts of objects. */
export interface ObjectCounts {
  total: number;
  mime: FacetValues;
  tag: FacetValues;
  months: MonthCount[];
}

/** Whether the counters contain the counts for these filters. */
export function canUseCounters({ originals: _, ...filters }: ObjectFilters): boolean {
  return Object.values(filters).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
}

/** The number of objects with a value. */
export interface CountRow {
  facet: string;
  value: string;
  count: number;
}

/** Statements that count rows of `from` by a value. */
export const countStatements = (from: string) => ({
  state: `SELECT 'state' AS facet, state AS value, count(*) AS count FROM ${from} GROUP BY state`,
  mime: `SELECT 'mime' AS facet, mime AS value, count(*) AS count FROM ${from} GROUP BY mime`,
  month: `SELECT 'month' AS facet, to_char(start, 'YYYY-MM') AS value, count FROM (
    SELECT date_trunc('month', created_at AT TIME ZONE 'UTC') AS start, count(*) AS count
    FROM ${from} GROUP BY start) months`,
  tag: `SELECT 'tag' AS facet, tag AS value, count(*) AS count FROM (
    SELECT unnest(tags) COLLATE "C" AS tag FROM ${from}) tags GROUP BY tag`,
});

const lostCountsSql = Object.values(countStatements('lost')).join(' UNION ALL ');

/**
 * The counts of all objects outside the trash: the counters as of the last fold, plus the changes since.
 * With `originals`, derived objects are subtracted, except those whose source is in the trash or was
 * purged. To find these, only the trash and objects that inherited facts from a purged source are read.
 */
export async function readObjectCounters(
  tx: Tx,
  projectId: string,
  originals: boolean,
): Promise<ObjectCounts> {
  const rows = await prepared<CountRow>(
    tx,
    `WITH candidates AS (
       SELECT object_id AS id FROM inherited_fact WHERE $2 AND project_id = $1
       UNION
       SELECT made.id FROM object source CROSS JOIN LATERAL (
         SELECT id FROM object WHERE project_id = $1 AND derived_from = source.id OFFSET 0) made
       WHERE $2 AND source.project_id = $1 AND source.state = 'trashed'),
     lost AS MATERIALIZED (
       SELECT made.* FROM candidates CROSS JOIN LATERAL (
         SELECT state, mime, created_at, tags, derived_from FROM object
         WHERE project_id = $1 AND id = candidates.id AND state <> 'trashed' OFFSET 0) made
       WHERE made.derived_from IS NOT NULL AND NOT EXISTS (
         SELECT FROM object s WHERE s.project_id = $1 AND s.id = made.derived_from AND s.state <> 'trashed' OFFSET 0)),
     kept AS (
       SELECT facet, value, count FROM object_count WHERE project_id = $1
       UNION ALL
       SELECT facet, value, delta FROM object_count_delta WHERE project_id = $1),
     counted AS (
       SELECT facet, value, sum(count)::bigint AS count FROM (
         SELECT facet, value, count FROM kept WHERE facet NOT LIKE 'derived%'
         UNION ALL
         SELECT substr(facet, 9), value, -count FROM kept WHERE $2 AND facet LIKE 'derived%'
         UNION ALL
         ${lostCountsSql}) changes
       WHERE (facet, value) <> ('state', 'trashed')
       GROUP BY facet, value HAVING sum(count) > 0)
     SELECT facet, value, count FROM counted WHERE facet <> 'tag'
     UNION ALL
     (SELECT facet, value, count FROM counted WHERE facet = 'tag'
      ORDER BY count DESC, value LIMIT ${maxTagsShown})`,
    [projectId, originals],
  );
  return toObjectCounts(rows);
}

/** The rows of each facet in order; the total is the sum over the states. */
export function toObjectCounts(rows: readonly CountRow[]): ObjectCounts {
  const valuesOf = (facet: string): FacetValues =>
    rows.filter((row) => row.facet === facet).map(({ value, count }) => ({ value, count }));
  return {
    total: sumCounts(valuesOf('state')),
    mime: sortByCount(valuesOf('mime')),
    tag: sortByCount(valuesOf('tag')),
    months: valuesOf('month')
      .map(({ value, count }) => ({ month: value, count }))
      .sort((a, b) => (a.month < b.month ? 1 : -1)),
  };
}
