import type { MonthCount, ObjectFacets } from '@scriptorium/contracts/wire/library/objects';
import { planTextSearch, sortInMemory } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { maxTagsShown } from '../images/search/counters.ts';
import { matchingObjectsSql, type ObjectSearch } from './conditions.ts';
import {
  type CountRow,
  canUseCounters,
  countStatements,
  type ObjectCounts,
  readObjectCounters,
  toObjectCounts,
} from './counters.ts';

/** Exact counts over all objects that match; null for those that were not requested. */
interface MatchCounts {
  total: number | null;
  facets: ObjectFacets | null;
  months: MonthCount[] | null;
}

const foundStatements = countStatements('found');
const statements = {
  ...foundStatements,
  tag: `(${foundStatements.tag} ORDER BY count DESC, value LIMIT ${maxTagsShown})`,
};

/** Counts the matches: without filters from counters, otherwise by reading them, if possible only once. */
export async function countMatches(
  tx: Tx,
  search: ObjectSearch,
  include: { total: boolean; facets: boolean; months: boolean },
): Promise<MatchCounts> {
  const { filters } = search;
  // A facet ignores its own alternatives.
  const withoutMimes = filters.mime
    ? { ...search, filters: { ...filters, mime: undefined } }
    : search;
  const tags = filters.tags?.filter(({ not, anyOf }) => not || anyOf.length === 1);
  const withoutAlternativeTags =
    tags?.length === filters.tags?.length ? search : { ...search, filters: { ...filters, tags } };
  const facetsBySearch = new Map<ObjectSearch, (keyof typeof statements)[]>();
  const request = (target: ObjectSearch, facet: keyof typeof statements): void => {
    facetsBySearch.set(target, [...(facetsBySearch.get(target) ?? []), facet]);
  };
  if (include.total) request(search, 'state');
  if (include.months) request(search, 'month');
  if (include.facets) request(withoutMimes, 'mime');
  if (include.facets) request(withoutAlternativeTags, 'tag');
  const countsBySearch = new Map(
    await Promise.all(
      [...facetsBySearch].map(
        async ([target, facets]) => [target, await countFacets(tx, target, facets)] as const,
      ),
    ),
  );
  const counts = countsBySearch.get(search);
  return {
    total: include.total ? (counts?.total ?? 0) : null,
    facets: include.facets
      ? {
          tag: countsBySearch.get(withoutAlternativeTags)?.tag ?? [],
          mime: countsBySearch.get(withoutMimes)?.mime ?? [],
        }
      : null,
    months: include.months ? (counts?.months ?? []) : null,
  };
}

/** Counts the results of a search; counts that were not requested may be missing. */
async function countFacets(
  tx: Tx,
  search: ObjectSearch,
  facets: readonly (keyof typeof statements)[],
): Promise<ObjectCounts> {
  if (canUseCounters(search.filters)) {
    const { caller, filters } = search;
    return readObjectCounters(tx, caller.projectId, filters.originals ?? false);
  }
  if (search.filters.q === undefined) sortInMemory(tx);
  else planTextSearch(tx, 'all');
  const values: unknown[] = [];
  const foundSql = `SELECT state, mime, tags, created_at FROM ${matchingObjectsSql(search, values, { wordsFirst: true })}`;
  const rows = await query<CountRow>(
    tx,
    `WITH found AS (${foundSql}) ${facets.map((facet) => statements[facet]).join(' UNION ALL ')}`,
    values,
  );
  return toObjectCounts(rows);
}

/** The number of objects outside the trash derived from each object; objects without any are omitted. */
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
