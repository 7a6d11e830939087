import type { Facets, MonthsBy } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount } from '@scriptorium/contracts/wire/library/objects';
import { Conditions } from '../../../db/statements/conditions.ts';
import { sortInMemory } from '../../../db/statements/rows.ts';
import { query, type Tx } from '../../../db/transaction.ts';
import { countByMonthSql } from '../../months.ts';
import { parseTagFilters, type TagFilter, tagsOverlap } from '../../tag-filter.ts';
import {
  type ImageCounts,
  maxTagsShown,
  readCounters,
  readTotal,
  sortByCount,
  sumCounts,
} from './counters.ts';
import {
  addFixedConditions,
  addImageConditions,
  addStateCondition,
  addTagCondition,
  type SearchFilters,
} from './filters.ts';

/** If there are fewer matches, their tags are counted directly, whatever their share of the library. */
const maxMatchesCountedDirectly = 2_000;

/** Counts the matches, in total and by value. */
export async function countImages(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  include: { total: boolean; facets: boolean },
): Promise<ImageCounts> {
  const isUnfiltered = Object.values(filters).every((value) => value === undefined);
  if (isUnfiltered) return readCounters(tx, projectId, include);
  if (!include.facets) return { total: await countMatches(tx, projectId, filters), facets: null };
  sortInMemory(tx);
  return countFacets(tx, projectId, filters, include.total);
}

async function countMatches(tx: Tx, projectId: string, filters: SearchFilters): Promise<number> {
  const where = matchConditions(projectId, filters);
  const [row] = await query<{ count: number }>(
    tx,
    `SELECT count(*) AS count FROM image_search WHERE ${where.sql()}`,
    where.values,
  );
  return row?.count ?? 0;
}

/** The matching images that have this date, by its month, newest first. */
export async function countImageMonths(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  by: MonthsBy,
): Promise<MonthCount[]> {
  const where = matchConditions(projectId, filters);
  if (by === 'captured_at') where.add('captured_at IS NOT NULL');
  const sql = countByMonthSql(`image_search WHERE ${where.sql()}`, by);
  return query<MonthCount>(tx, sql, where.values);
}

function matchConditions(projectId: string, filters: SearchFilters): Conditions {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  addImageConditions(filters, where);
  return where;
}

/**
 * The number of images of one type and orientation, by whether their tags match the alternatives.
 */
interface FacetGroup {
  mime: string;
  orientation: string | null;
  fits: boolean;
  count: number;
}

/**
 * A facet ignores its own alternatives: `mime`, `orientation` and the `tag` filters with a comma.
 * Each image that fails at most one of the three is counted in its group; this function decides
 * which groups count for which facet.
 */
async function countFacets(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  includeTotal: boolean,
): Promise<ImageCounts> {
  const { groups, tags } = await countGroups(tx, projectId, filters);
  const matchesFacet = (group: FacetGroup, facet: 'mime' | 'orientation'): boolean =>
    !filters[facet] || (filters[facet] as readonly (string | null)[]).includes(group[facet]);
  const groupsWithTags = groups.filter((group) => group.fits);
  const groupsForTags = groups.filter(
    (group) => matchesFacet(group, 'mime') && matchesFacet(group, 'orientation'),
  );
  return {
    total: includeTotal ? sumCounts(groupsForTags.filter((group) => group.fits)) : null,
    facets: {
      tag: tags ?? (await countTags(tx, projectId, filters, sumCounts(groupsForTags))),
      mime: countValues(
        groupsWithTags.filter((group) => matchesFacet(group, 'orientation')),
        'mime',
      ),
      orientation: countValues(
        groupsWithTags.filter((group) => matchesFacet(group, 'mime')),
        'orientation',
      ),
    },
  };
}

/**
 * Counts the groups. If Postgres expects at most half of the library in them, their tags are
 * counted in the same pass; otherwise `tags` is null.
 */
async function countGroups(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
): Promise<{ groups: FacetGroup[]; tags: Facets['tag'] | null }> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  addStateCondition(filters, where, 'image_search');
  addSharedConditions(filters, where);
  const alternatives = parseTagFilters(filters.tag).filter(isAlternative);
  const tagSql = alternatives
    .map(({ anyOf }) => tagsOverlap('tags', where.bind(anyOf)))
    .join(' AND ');
  const mimeSql = filters.mime && `mime = ANY(${where.bind(filters.mime)}::text[])`;
  const orientationSql =
    filters.orientation && `orientation = ANY(${where.bind(filters.orientation)}::text[])`;
  const joinWithAnd = (one?: string, other?: string): string =>
    [one, other].filter(Boolean).join(' AND ') || 'true';
  const pairs = [
    joinWithAnd(tagSql, orientationSql),
    joinWithAnd(tagSql, mimeSql),
    joinWithAnd(mimeSql, orientationSql),
  ];
  if (!pairs.includes('true')) where.add(`(${pairs.join(' OR ')})`);
  const foundSql = `SELECT mime, orientation, tags, ${tagSql || 'true'} AS fits,
      coalesce(${joinWithAnd(mimeSql, orientationSql)}, false) AS tagged
    FROM image_search WHERE ${where.sql()}`;
  const expectedCount = await estimateRows(tx, foundSql, where.values);
  const inOnePass = includesTrash(filters) || expectedCount <= (await readTotal(tx, projectId)) / 2;
  const rows = await query<FacetGroup & { facet: 'group' | 'tag'; value: string }>(
    tx,
    `WITH found AS ${inOnePass ? '' : 'NOT '}MATERIALIZED (${foundSql})
     SELECT 'group' AS facet, mime, orientation, fits, NULL AS value, count(*) AS count
     FROM found GROUP BY mime, orientation, fits
     ${
       inOnePass
         ? `UNION ALL
            (SELECT 'tag', NULL, NULL, NULL, tag, count(*) FROM (
               SELECT unnest(tags) COLLATE "C" AS tag FROM found WHERE tagged) tags
             GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${maxTagsShown})`
         : ''
     }`,
    where.values,
  );
  const tags = rows.filter(({ facet }) => facet === 'tag');
  return {
    groups: rows.filter(({ facet }) => facet === 'group'),
    tags: inOnePass ? tags.map(({ value, count }) => ({ value, count })) : null,
  };
}

/** The number of rows that Postgres expects for a statement. */
async function estimateRows(tx: Tx, sql: string, values: unknown[]): Promise<number> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    tx,
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values,
  );
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/**
 * The most frequent tags of the images that match without the alternative tags: about `matchCount`
 * images. If these are most of the library, the other images are counted and subtracted from the
 * counters, so that at most half of the library's tags are read.
 */
async function countTags(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  matchCount: number,
): Promise<Facets['tag']> {
  if (matchCount === 0 || filters.untagged) return [];
  const fixedWhere = new Conditions([projectId]);
  addSharedConditions(filters, fixedWhere);
  if (filters.mime) fixedWhere.add('mime = ANY(?::text[])', filters.mime);
  if (filters.orientation) fixedWhere.add('orientation = ANY(?::text[])', filters.orientation);
  const tagsOf = (condition: string): string =>
    `SELECT tag AS value, count(*) AS count FROM (
       SELECT unnest(tags) COLLATE "C" AS tag FROM image_search
       WHERE project_id = $1 ${condition}) tags GROUP BY tag`;
  const order = `ORDER BY count DESC, value LIMIT ${maxTagsShown}`;
  const countsDirectly =
    matchCount < maxMatchesCountedDirectly ||
    includesTrash(filters) ||
    matchCount <= (await readTotal(tx, projectId)) / 2;
  if (countsDirectly) {
    const conditions = new Conditions(fixedWhere.values);
    addStateCondition(filters, conditions, 'image_search');
    const sql = [conditions.sql(), fixedWhere.sql()].filter(Boolean).join(' AND ');
    return query(tx, `${tagsOf(`AND ${sql}`)} ${order}`, fixedWhere.values);
  }
  const fixedSql = fixedWhere.sql();
  return query(
    tx,
    `SELECT value, sum(count)::bigint AS count FROM (
       SELECT value, count FROM image_count WHERE project_id = $1 AND facet = 'tag'
       UNION ALL
       SELECT value, delta FROM image_count_delta WHERE project_id = $1 AND facet = 'tag'
       ${fixedSql && `UNION ALL SELECT value, -count FROM (${tagsOf(`AND NOT trashed AND (${fixedSql}) IS NOT TRUE`)}) others`}
     ) summed GROUP BY value HAVING sum(count) > 0 ${order}`,
    fixedWhere.values,
  );
}

/** Adds the conditions that apply to every facet. */
function addSharedConditions(filters: SearchFilters, where: Conditions): void {
  addFixedConditions(filters, where, 'image_search');
  for (const filter of parseTagFilters(filters.tag)) {
    if (!isAlternative(filter)) addTagCondition(filter, where, 'image_search');
  }
}

/** Whether a filter accepts any of several tags. */
function isAlternative({ not, anyOf }: TagFilter): boolean {
  return !not && anyOf.length > 1;
}

function countValues(groups: readonly FacetGroup[], facet: 'mime' | 'orientation'): Facets['mime'] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const value = group[facet];
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.count);
  }
  return sortByCount([...counts].map(([value, count]) => ({ value, count })));
}

/** Whether the trash is counted too. The counters exclude it. */
function includesTrash({ state, states }: SearchFilters): boolean {
  return state === 'trashed' || states !== undefined;
}
