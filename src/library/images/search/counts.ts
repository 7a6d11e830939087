import type { Facets } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount } from '@scriptorium/contracts/wire/library/objects';
import { Conditions } from '../../../db/statements/conditions.ts';
import { sortInMemory } from '../../../db/statements/rows.ts';
import { query, type Tx } from '../../../db/transaction.ts';
import { monthsOf } from '../../months.ts';
import { readTagFilters, sharedTag, type TagFilter } from '../../tag-filter.ts';
import { byCount, type ImageCounts, readCounters, readTotal, sum, tagsShown } from './counters.ts';
import {
  fixedConditions,
  imageConditions,
  type SearchFilters,
  stateCondition,
  tagCondition,
} from './filters.ts';

/** Up to this many matches, tags are counted directly, whatever their share of the library. */
const fewMatches = 2_000;

/** Counts the matches, in total and by value. */
export async function countImages(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  wanted: { total: boolean; facets: boolean },
): Promise<ImageCounts> {
  const unfiltered = Object.values(filters).every((value) => value === undefined);
  if (unfiltered) return readCounters(tx, projectId, wanted);
  if (!wanted.facets) return { total: await countMatches(tx, projectId, filters), facets: null };
  sortInMemory(tx);
  return countFacets(tx, projectId, filters, wanted.total);
}

async function countMatches(tx: Tx, projectId: string, filters: SearchFilters): Promise<number> {
  const where = matches(projectId, filters);
  const [row] = await query<{ count: number }>(
    tx,
    `SELECT count(*) AS count FROM image_search WHERE ${where.sql()}`,
    where.values,
  );
  return row?.count ?? 0;
}

/** The matching images by the month in which they were added, newest first. */
export async function countImageMonths(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
): Promise<MonthCount[]> {
  const where = matches(projectId, filters);
  return query<MonthCount>(tx, monthsOf(`image_search WHERE ${where.sql()}`), where.values);
}

function matches(projectId: string, filters: SearchFilters): Conditions {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  imageConditions(filters, where);
  return where;
}

/**
 * The number of images of one type and orientation, by whether their tags match the alternatives.
 */
interface Group {
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
  total: boolean,
): Promise<ImageCounts> {
  const { groups, tags } = await countGroups(tx, projectId, filters);
  const isOne = (group: Group, facet: 'mime' | 'orientation'): boolean =>
    !filters[facet] || (filters[facet] as readonly (string | null)[]).includes(group[facet]);
  const withTags = groups.filter((group) => group.fits);
  const forTags = groups.filter((group) => isOne(group, 'mime') && isOne(group, 'orientation'));
  return {
    total: total ? sum(forTags.filter((group) => group.fits)) : null,
    facets: {
      tag: tags ?? (await countTags(tx, projectId, filters, sum(forTags))),
      mime: tally(
        withTags.filter((group) => isOne(group, 'orientation')),
        'mime',
      ),
      orientation: tally(
        withTags.filter((group) => isOne(group, 'mime')),
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
): Promise<{ groups: Group[]; tags: Facets['tag'] | null }> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  stateCondition(filters, where, 'image_search');
  narrow(filters, where);
  const free = readTagFilters(filters.tag).filter(isAlternative);
  const ofTags = free.map(({ anyOf }) => sharedTag('tags', where.bind(anyOf))).join(' AND ');
  const ofMime = filters.mime && `mime = ANY(${where.bind(filters.mime)}::text[])`;
  const ofOrientation =
    filters.orientation && `orientation = ANY(${where.bind(filters.orientation)}::text[])`;
  const both = (one?: string, other?: string): string =>
    [one, other].filter(Boolean).join(' AND ') || 'true';
  const pairs = [both(ofTags, ofOrientation), both(ofTags, ofMime), both(ofMime, ofOrientation)];
  if (!pairs.includes('true')) where.add(`(${pairs.join(' OR ')})`);
  const found = `SELECT mime, orientation, tags, ${ofTags || 'true'} AS fits,
      coalesce(${both(ofMime, ofOrientation)}, false) AS tagged
    FROM image_search WHERE ${where.sql()}`;
  const expected = await expectedRows(tx, found, where.values);
  const inOnePass = withTrash(filters) || expected <= (await readTotal(tx, projectId)) / 2;
  const rows = await query<Group & { facet: 'group' | 'tag'; value: string }>(
    tx,
    `WITH found AS ${inOnePass ? '' : 'NOT '}MATERIALIZED (${found})
     SELECT 'group' AS facet, mime, orientation, fits, NULL AS value, count(*) AS count
     FROM found GROUP BY mime, orientation, fits
     ${
       inOnePass
         ? `UNION ALL
            (SELECT 'tag', NULL, NULL, NULL, tag, count(*) FROM (
               SELECT unnest(tags) COLLATE "C" AS tag FROM found WHERE tagged) tags
             GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsShown})`
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
async function expectedRows(tx: Tx, sql: string, values: unknown[]): Promise<number> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    tx,
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values,
  );
  return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/**
 * The most frequent tags of the images that match without the alternative tags, of which there are
 * about `matches`. If that is most of the library, the remaining images are counted and subtracted
 * from the counters, so at most half of the library's tags are read.
 */
async function countTags(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  matches: number,
): Promise<Facets['tag']> {
  if (matches === 0 || filters.untagged) return [];
  const narrowing = new Conditions([projectId]);
  narrow(filters, narrowing);
  if (filters.mime) narrowing.add('mime = ANY(?::text[])', filters.mime);
  if (filters.orientation) narrowing.add('orientation = ANY(?::text[])', filters.orientation);
  const tagsOf = (condition: string): string =>
    `SELECT tag AS value, count(*) AS count FROM (
       SELECT unnest(tags) COLLATE "C" AS tag FROM image_search
       WHERE project_id = $1 ${condition}) tags GROUP BY tag`;
  const order = `ORDER BY count DESC, value LIMIT ${tagsShown}`;
  const few =
    matches < fewMatches || withTrash(filters) || matches <= (await readTotal(tx, projectId)) / 2;
  if (few) {
    const conditions = new Conditions(narrowing.values);
    stateCondition(filters, conditions, 'image_search');
    const sql = [conditions.sql(), narrowing.sql()].filter(Boolean).join(' AND ');
    return query(tx, `${tagsOf(`AND ${sql}`)} ${order}`, narrowing.values);
  }
  const others = narrowing.sql();
  return query(
    tx,
    `SELECT value, sum(count)::bigint AS count FROM (
       SELECT value, count FROM image_count WHERE project_id = $1 AND facet = 'tag'
       UNION ALL
       SELECT value, delta FROM image_count_delta WHERE project_id = $1 AND facet = 'tag'
       ${others && `UNION ALL SELECT value, -count FROM (${tagsOf(`AND NOT trashed AND (${others}) IS NOT TRUE`)}) others`}
     ) summed GROUP BY value HAVING sum(count) > 0 ${order}`,
    narrowing.values,
  );
}

/** Adds the conditions that apply to every facet. */
function narrow(filters: SearchFilters, where: Conditions): void {
  fixedConditions(filters, where, 'image_search');
  for (const filter of readTagFilters(filters.tag)) {
    if (!isAlternative(filter)) tagCondition(filter, where, 'image_search');
  }
}

/** Whether a filter accepts any of several tags. */
function isAlternative({ not, anyOf }: TagFilter): boolean {
  return !not && anyOf.length > 1;
}

function tally(groups: readonly Group[], facet: 'mime' | 'orientation'): Facets['mime'] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const value = group[facet];
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.count);
  }
  return byCount([...counts].map(([value, count]) => ({ value, count })));
}

/** Whether the trash is counted too, which the counters exclude. */
function withTrash({ state, states }: SearchFilters): boolean {
  return state === 'trashed' || states !== undefined;
}
