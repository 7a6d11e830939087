import type { Facets } from '@scriptorium/contracts/wire/library/images';
import { prepared, type Tx } from '../../../db/transaction.ts';

/** The maximum number of tags in a facet. */
export const maxTagsShown = 100;

/** Exact counts over all images that match; null for those that were not requested. */
export interface ImageCounts {
  total: number | null;
  facets: Facets | null;
}

/**
 * The counts of all images outside the trash: the counters as of the last fold, plus the changes since.
 */
export async function readCounters(
  tx: Tx,
  projectId: string,
  include: { total: boolean; facets: boolean },
): Promise<ImageCounts> {
  const facets = include.facets ? ['state', 'mime', 'orientation'] : ['state'];
  const rows = await prepared<{ facet: string; value: string; count: number }>(
    tx,
    `WITH delta AS (
       SELECT facet, value, sum(delta)::bigint AS count FROM image_count_delta
       WHERE project_id = $1 GROUP BY facet, value)
     SELECT facet, value, sum(count)::bigint AS count FROM (
       SELECT facet, value, count FROM image_count WHERE project_id = $1 AND facet = ANY($2::text[])
       UNION ALL SELECT facet, value, count FROM delta WHERE facet = ANY($2::text[])) few
     GROUP BY facet, value HAVING sum(count) > 0
     UNION ALL
     -- There may be many tags: returns the most frequent unchanged ones, and all others.
     (SELECT 'tag', value, count FROM (
        (SELECT value, count FROM image_count WHERE project_id = $1 AND facet = 'tag'
           AND value NOT IN (SELECT value FROM delta WHERE facet = 'tag')
         ORDER BY count DESC, value LIMIT ${maxTagsShown})
        UNION ALL
        SELECT d.value, d.count + coalesce(c.count, 0) FROM delta d
        LEFT JOIN image_count c ON c.project_id = $1 AND c.facet = 'tag' AND c.value = d.value
        WHERE d.facet = 'tag') many
      WHERE $3 AND count > 0 ORDER BY count DESC, value LIMIT ${maxTagsShown})`,
    [projectId, facets, include.facets],
  );
  const rowsOf = (facet: string) => rows.filter((row) => row.facet === facet);
  const facetValues = (facet: string) =>
    sortByCount(rowsOf(facet).map(({ value, count }) => ({ value, count })));
  return {
    total: include.total
      ? sumCounts(rowsOf('state').filter(({ value }) => value !== 'trashed'))
      : null,
    facets: include.facets
      ? {
          tag: facetValues('tag'),
          mime: facetValues('mime'),
          orientation: facetValues('orientation'),
        }
      : null,
  };
}

/** The number of images outside the trash. */
export async function readTotal(tx: Tx, projectId: string): Promise<number> {
  return (await readCounters(tx, projectId, { total: true, facets: false })).total ?? 0;
}

/** The values of a facet, most frequent first. */
export function sortByCount(values: Facets['mime']): Facets['mime'] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** The sum of the counts. */
export function sumCounts(counts: readonly { count: number }[]): number {
  return counts.reduce((all, { count }) => all + count, 0);
}
