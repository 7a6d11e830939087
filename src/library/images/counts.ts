import type { Facets } from '../../contracts/wire/images.ts';
import { Conditions } from '../../db/conditions.ts';
import { prepared, query, send, type Tx } from '../../db/transaction.ts';
import {
  fixedConditions,
  imageConditions,
  type SearchFilters,
  tagCondition,
  tagFilters,
} from './filters.ts';

/** How many tags a facet shows. */
const tagsShown = 100;

/** Counts over all images that match, exact; what was not asked for is null. */
export interface ImageCounts {
  total: number | null;
  facets: Facets | null;
}

interface CountRow {
  facet: 'image' | 'tag';
  /** Of a tag. */
  value: string | null;
  mime: string | null;
  orientation: string | null;
  /** Whether the tags fit the alternatives that `tag` gave. */
  fits: boolean | null;
  count: number;
}

/** Counts what matches: how many, and how many of each value. */
export async function countImages(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  wanted: { total: boolean; facets: boolean },
): Promise<ImageCounts> {
  const unfiltered = Object.values(filters).every((value) => value === undefined);
  if (unfiltered) return readCounters(tx, projectId, wanted);
  if (!wanted.facets) return { total: await countMatches(tx, filters), facets: null };
  return countFacets(tx, filters, wanted.total);
}

async function countMatches(tx: Tx, filters: SearchFilters): Promise<number> {
  const where = new Conditions();
  imageConditions(filters, where);
  const [row] = await query<{ count: number }>(
    tx,
    `SELECT count(*) AS count FROM image_search WHERE ${where.sql()}`,
    where.values,
  );
  return row?.count ?? 0;
}

/**
 * A facet is not narrowed by its own alternatives: `mime`, `orientation` and the `tag` filters with
 * a comma. Each image that fails no more than one of the three is read; which ones count for what is
 * decided here.
 */
async function countFacets(tx: Tx, filters: SearchFilters, total: boolean): Promise<ImageCounts> {
  const where = new Conditions();
  fixedConditions(filters, where, 'image_search');
  const tags = tagFilters(filters);
  const alternatives = tags.filter(({ not, anyOf }) => !not && anyOf.length > 1);
  for (const filter of tags) {
    if (!alternatives.includes(filter)) tagCondition(filter, where, 'image_search');
  }
  const anyOf = (column: string, values: readonly string[] | undefined): string | null =>
    values ? `coalesce(${column} = ANY(${where.bind(values)}::text[]), false)` : null;
  const fits = {
    tag:
      alternatives.map((filter) => `tags && ${where.bind(filter.anyOf)}::text[]`).join(' AND ') ||
      null,
    mime: anyOf('mime', filters.mime),
    orientation: anyOf('orientation', filters.orientation),
  };
  const both = (one: string | null, other: string | null): string =>
    [one, other].filter((part) => part !== null).join(' AND ') || 'true';
  const counted = [
    both(fits.mime, fits.orientation),
    both(fits.tag, fits.orientation),
    both(fits.tag, fits.mime),
  ];
  const images = counted.includes('true')
    ? 'true'
    : counted.map((condition) => `(${condition})`).join(' OR ');
  // What is compiled or sorted out to disk for one statement costs more than it gains.
  send(tx, `SELECT set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`, []);
  const rows = await query<CountRow>(
    tx,
    `SELECT 'image' AS facet, NULL AS value, mime, orientation, ${fits.tag ?? 'true'} AS fits,
       count(*) AS count
     FROM image_search WHERE ${where.sql()} AND (${images}) GROUP BY mime, orientation, fits
     UNION ALL
     (SELECT 'tag', tag, NULL, NULL, NULL, count(*) FROM (
        SELECT unnest(tags) COLLATE "C" AS tag FROM image_search
        WHERE ${where.sql()} AND ${counted[0]}) tags
      GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsShown})`,
    where.values,
  );
  const isMime = (row: CountRow): boolean =>
    !filters.mime || (filters.mime as readonly (string | null)[]).includes(row.mime);
  const isOrientation = (row: CountRow): boolean =>
    !filters.orientation ||
    (filters.orientation as readonly (string | null)[]).includes(row.orientation);
  const found = rows.filter((row) => row.facet === 'image');
  const withTags = found.filter((row) => row.fits);
  return {
    total: total
      ? sum(withTags.filter((row) => isMime(row) && isOrientation(row)).map((row) => row.count))
      : null,
    facets: {
      tag: rows.flatMap(({ value, count }) => (value === null ? [] : { value, count })),
      mime: tally(withTags.filter(isOrientation), 'mime'),
      orientation: tally(withTags.filter(isMime), 'orientation'),
    },
  };
}

/** Of everything that is not in the trash, from counters: what was folded, and what changed since. */
async function readCounters(
  tx: Tx,
  projectId: string,
  wanted: { total: boolean; facets: boolean },
): Promise<ImageCounts> {
  const facets = wanted.facets ? ['state', 'mime', 'orientation'] : ['state'];
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
     -- Of tags there may be many: the most frequent of those that did not change, and the others.
     (SELECT 'tag', value, count FROM (
        (SELECT value, count FROM image_count c WHERE project_id = $1 AND facet = 'tag'
           AND NOT EXISTS (SELECT FROM delta d WHERE d.facet = 'tag' AND d.value = c.value)
         ORDER BY count DESC, value LIMIT ${tagsShown})
        UNION ALL
        SELECT d.value, d.count + coalesce(c.count, 0) FROM delta d
        LEFT JOIN image_count c ON c.project_id = $1 AND c.facet = 'tag' AND c.value = d.value
        WHERE d.facet = 'tag') many
      WHERE $3 AND count > 0 ORDER BY count DESC, value LIMIT ${tagsShown})`,
    [projectId, facets, wanted.facets],
  );
  const of = (facet: string) => rows.filter((row) => row.facet === facet);
  const shown = (facet: string) =>
    mostFirst(of(facet).map(({ value, count }) => ({ value, count })));
  return {
    total: wanted.total
      ? sum(
          of('state')
            .filter(({ value }) => value !== 'trashed')
            .map(({ count }) => count),
        )
      : null,
    facets: wanted.facets
      ? { tag: shown('tag'), mime: shown('mime'), orientation: shown('orientation') }
      : null,
  };
}

function tally(rows: readonly CountRow[], by: 'mime' | 'orientation'): Facets['mime'] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = row[by];
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + row.count);
  }
  return mostFirst([...counts].map(([value, count]) => ({ value, count })));
}

function mostFirst(values: Facets['mime']): Facets['mime'] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
