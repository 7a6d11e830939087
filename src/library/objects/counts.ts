import type {
  FacetValues,
  MonthCount,
  ObjectFacets,
} from '../../contracts/wire/library/objects.ts';
import { prepared, query, send, type Tx } from '../../db/transaction.ts';
import { tagsShown } from '../images/search/counters.ts';
import { monthsOf } from '../months.ts';
import { matching, type ObjectFilters, type ObjectSearch } from './conditions.ts';
import { areCounted, type ObjectCounts, readObjectCounters } from './counters.ts';

/** Exact counts over all objects that match; null for those that were not requested. */
interface MatchCounts {
  total: number | null;
  facets: ObjectFacets | null;
  months: MonthCount[] | null;
}

/** Counts the matches: without filters from counters, otherwise by reading them. */
export async function countMatches(
  tx: Tx,
  search: ObjectSearch,
  wanted: { total: boolean; facets: boolean; months: boolean },
): Promise<MatchCounts> {
  if (!wanted.total && !wanted.facets && !wanted.months) {
    return { total: null, facets: null, months: null };
  }
  if (areCounted(search.filters)) {
    const { total, mime, tag, months } = await counters(tx, search);
    return {
      total: wanted.total ? total : null,
      facets: wanted.facets ? { tag, mime } : null,
      months: wanted.months ? months : null,
    };
  }
  // Compiling the statements costs more than it gains.
  send(tx, `SELECT set_config('jit', 'off', true)`, []);
  const [total, facets, months] = await Promise.all([
    wanted.total ? countTotal(tx, search) : null,
    wanted.facets ? countFacets(tx, search) : null,
    wanted.months ? countMonths(tx, search) : null,
  ]);
  return { total, facets, months };
}

function counters(tx: Tx, { caller, filters }: ObjectSearch): Promise<ObjectCounts> {
  return readObjectCounters(tx, caller.projectId, filters.originals ?? false);
}

async function countTotal(tx: Tx, search: ObjectSearch): Promise<number> {
  const values: unknown[] = [];
  const [row] = await query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM ${matching(search, values)}`,
    values,
  );
  return row?.total ?? 0;
}

/** By media type and by tag. A facet ignores its own alternatives. */
async function countFacets(tx: Tx, search: ObjectSearch): Promise<ObjectFacets> {
  const tags = search.filters.tags?.filter(({ not, anyOf }) => not || anyOf.length === 1);
  const without = (changes: Partial<ObjectFilters>): ObjectSearch => ({
    ...search,
    filters: { ...search.filters, ...changes },
  });
  const [mime, tag] = await Promise.all([
    countTypes(tx, without({ mime: undefined })),
    countTags(tx, without({ tags })),
  ]);
  return { mime, tag };
}

async function countTypes(tx: Tx, search: ObjectSearch): Promise<FacetValues> {
  if (areCounted(search.filters)) return (await counters(tx, search)).mime;
  const values: unknown[] = [];
  return query(
    tx,
    `SELECT mime AS value, count(*) AS count FROM ${matching(search, values)}
     GROUP BY mime ORDER BY count(*) DESC, mime`,
    values,
  );
}

async function countTags(tx: Tx, search: ObjectSearch): Promise<FacetValues> {
  if (areCounted(search.filters)) return (await counters(tx, search)).tag;
  const values: unknown[] = [];
  return query(
    tx,
    `SELECT tag AS value, count(*) AS count FROM (
       SELECT unnest(tags) COLLATE "C" AS tag FROM ${matching(search, values)}) tags
     GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${tagsShown}`,
    values,
  );
}

/** By the month in which they were added, newest first. */
async function countMonths(tx: Tx, search: ObjectSearch): Promise<MonthCount[]> {
  const values: unknown[] = [];
  return query<MonthCount>(tx, monthsOf(matching(search, values)), values);
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
