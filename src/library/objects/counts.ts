import type { MonthCount, ObjectFacets } from '@scriptorium/contracts/wire/library/objects';
import { sortInMemory } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { tagsShown } from '../images/search/counters.ts';
import { matching, type ObjectSearch } from './conditions.ts';
import {
  areCounted,
  arrange,
  type CountRow,
  countedBy,
  type ObjectCounts,
  readObjectCounters,
} from './counters.ts';

/** Exact counts over all objects that match; null for those that were not requested. */
interface MatchCounts {
  total: number | null;
  facets: ObjectFacets | null;
  months: MonthCount[] | null;
}

const counted = countedBy('found');
const statements = {
  ...counted,
  tag: `(${counted.tag} ORDER BY count DESC, value LIMIT ${tagsShown})`,
};

/** Counts the matches: without filters from counters, otherwise by reading them, once if possible. */
export async function countMatches(
  tx: Tx,
  search: ObjectSearch,
  wanted: { total: boolean; facets: boolean; months: boolean },
): Promise<MatchCounts> {
  const { filters } = search;
  // A facet ignores its own alternatives.
  const ofTypes = filters.mime ? { ...search, filters: { ...filters, mime: undefined } } : search;
  const tags = filters.tags?.filter(({ not, anyOf }) => not || anyOf.length === 1);
  const ofTags =
    tags?.length === filters.tags?.length ? search : { ...search, filters: { ...filters, tags } };
  const asked = new Map<ObjectSearch, (keyof typeof statements)[]>();
  const ask = (of: ObjectSearch, facet: keyof typeof statements): void => {
    asked.set(of, [...(asked.get(of) ?? []), facet]);
  };
  if (wanted.total) ask(search, 'state');
  if (wanted.months) ask(search, 'month');
  if (wanted.facets) ask(ofTypes, 'mime');
  if (wanted.facets) ask(ofTags, 'tag');
  const found = new Map(
    await Promise.all(
      [...asked].map(async ([of, facets]) => [of, await countIn(tx, of, facets)] as const),
    ),
  );
  const own = found.get(search);
  return {
    total: wanted.total ? (own?.total ?? 0) : null,
    facets: wanted.facets
      ? { tag: found.get(ofTags)?.tag ?? [], mime: found.get(ofTypes)?.mime ?? [] }
      : null,
    months: wanted.months ? (own?.months ?? []) : null,
  };
}

/** Counts the results of a search; counts that were not requested may be missing. */
async function countIn(
  tx: Tx,
  search: ObjectSearch,
  facets: readonly (keyof typeof statements)[],
): Promise<ObjectCounts> {
  if (areCounted(search.filters)) {
    const { caller, filters } = search;
    return readObjectCounters(tx, caller.projectId, filters.originals ?? false);
  }
  sortInMemory(tx);
  const values: unknown[] = [];
  const found = `SELECT state, mime, tags, created_at FROM ${matching(search, values)}`;
  const rows = await query<CountRow>(
    tx,
    `WITH found AS (${found}) ${facets.map((facet) => statements[facet]).join(' UNION ALL ')}`,
    values,
  );
  return arrange(rows);
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
