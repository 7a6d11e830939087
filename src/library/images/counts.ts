import type { Facets } from '../../contracts/wire/images.ts';
import { Conditions } from '../../db/conditions.ts';
import { prepared, query, send, type Tx } from '../../db/transaction.ts';
import { readTagFilters, type TagFilter } from '../tag-filter.ts';
import {
  fixedConditions,
  imageConditions,
  type SearchFilters,
  stateCondition,
  tagCondition,
} from './filters.ts';

/** How many tags a facet shows. */
const tagsShown = 100;

/** So few matches have their tags counted at once, whatever share of the library they are. */
const fewMatches = 2_000;

/** Counts over all images that match, exact; what was not asked for is null. */
interface ImageCounts {
  total: number | null;
  facets: Facets | null;
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
  if (!wanted.facets) return { total: await countMatches(tx, projectId, filters), facets: null };
  // What is compiled, or sorted on disk, for one statement costs more than it gains.
  send(tx, `SELECT set_config('jit', 'off', true), set_config('work_mem', '64MB', true)`, []);
  return countFacets(tx, projectId, filters, wanted.total);
}

async function countMatches(tx: Tx, projectId: string, filters: SearchFilters): Promise<number> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  imageConditions(filters, where);
  const [row] = await query<{ count: number }>(
    tx,
    `SELECT count(*) AS count FROM image_search WHERE ${where.sql()}`,
    where.values,
  );
  return row?.count ?? 0;
}

/** How many images of one type and orientation, whose tags fit the alternatives given or do not. */
interface Group {
  mime: string;
  orientation: string | null;
  fits: boolean;
  count: number;
}

/**
 * A facet is not narrowed by its own alternatives: `mime`, `orientation` and the `tag` filters with
 * a comma. Each image that fails no more than one of the three is counted in its group; which groups
 * count for what is decided here.
 */
async function countFacets(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  total: boolean,
): Promise<ImageCounts> {
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  stateCondition(filters, where, 'image_search');
  narrow(filters, where);
  const free = alternatives(filters);
  const ofTags = free.map(({ anyOf }) => `tags && ${where.bind(anyOf)}::text[]`).join(' AND ');
  // With one of the three alone, every image fails no more than one.
  if ([free.length > 0, filters.mime, filters.orientation].filter(Boolean).length > 1) {
    const ofMime = filters.mime && `mime = ANY(${where.bind(filters.mime)}::text[])`;
    const ofOrientation =
      filters.orientation && `orientation = ANY(${where.bind(filters.orientation)}::text[])`;
    const pairs = [
      [ofMime, ofOrientation],
      [ofTags, ofOrientation],
      [ofTags, ofMime],
    ].map((pair) => pair.filter(Boolean).join(' AND '));
    where.add(`(${pairs.join(' OR ')})`);
  }
  const groups = await query<Group>(
    tx,
    `SELECT mime, orientation, ${ofTags || 'true'} AS fits, count(*) AS count
     FROM image_search WHERE ${where.sql()} GROUP BY mime, orientation, fits`,
    where.values,
  );
  const isOne = (group: Group, facet: 'mime' | 'orientation'): boolean =>
    !filters[facet] || (filters[facet] as readonly (string | null)[]).includes(group[facet]);
  const withTags = groups.filter((group) => group.fits);
  const forTags = groups.filter((group) => isOne(group, 'mime') && isOne(group, 'orientation'));
  return {
    total: total ? sum(forTags.filter((group) => group.fits)) : null,
    facets: {
      tag: await countTags(tx, projectId, filters, sum(forTags)),
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
 * The most frequent tags of some images: of those that match but for alternative tags, of which there
 * are about `matches`. When that is most of the library, the others are counted and taken from the
 * counters of all; so never more than half of the library's tags are looked at.
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
    matches < fewMatches ||
    filters.state === 'trashed' ||
    matches <= (await readTotal(tx, projectId)) / 2;
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

/** Adds what narrows every facet. */
function narrow(filters: SearchFilters, where: Conditions): void {
  fixedConditions(filters, where, 'image_search');
  const free = alternatives(filters).map(({ anyOf }) => anyOf.join());
  for (const filter of readTagFilters(filters.tag)) {
    if (filter.not || !free.includes(filter.anyOf.join())) {
      tagCondition(filter, where, 'image_search');
    }
  }
}

/** The `tag` filters of which one of several is enough. */
function alternatives(filters: SearchFilters): TagFilter[] {
  return readTagFilters(filters.tag).filter(({ not, anyOf }) => !not && anyOf.length > 1);
}

async function readTotal(tx: Tx, projectId: string): Promise<number> {
  return (await readCounters(tx, projectId, { total: true, facets: false })).total ?? 0;
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
        (SELECT value, count FROM image_count WHERE project_id = $1 AND facet = 'tag'
           AND value NOT IN (SELECT value FROM delta WHERE facet = 'tag')
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
    total: wanted.total ? sum(of('state').filter(({ value }) => value !== 'trashed')) : null,
    facets: wanted.facets
      ? { tag: shown('tag'), mime: shown('mime'), orientation: shown('orientation') }
      : null,
  };
}

function tally(groups: readonly Group[], facet: 'mime' | 'orientation'): Facets['mime'] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const value = group[facet];
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + group.count);
  }
  return mostFirst([...counts].map(([value, count]) => ({ value, count })));
}

function mostFirst(values: Facets['mime']): Facets['mime'] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sum(counts: readonly { count: number }[]): number {
  return counts.reduce((all, { count }) => all + count, 0);
}
