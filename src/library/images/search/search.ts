import type { ImageSort } from '@scriptorium/contracts/wire/library/images';
import { Conditions } from '../../../db/statements/conditions.ts';
import { sortInMemory } from '../../../db/statements/rows.ts';
import { readStops, type StopRow } from '../../../db/statements/stops.ts';
import { query, type Tx } from '../../../db/transaction.ts';
import type { Corpus } from '../../search/correct-query.ts';
import { addImageConditions, type SearchFilters } from './filters.ts';
import { parseQuery, toTsquery } from './query-language.ts';

/** The start of a page: after the image with this value of the sort key. */
export type ImagePosition = [key: string | number | null, id: string];

/** A matching image, with its sort key in the database's full precision. */
export interface FoundImage {
  id: string;
  position: string | number | null;
}

interface SearchPage {
  sort: ImageSort;
  after: ImagePosition | null;
  limit: number;
}

/** The number of newest matches that are ranked. */
const maxRanked = 10_000;

const sortKeys = {
  created_at: { type: 'timestamptz', nullable: false },
  updated_at: { type: 'timestamptz', nullable: false },
  captured_at: { type: 'timestamptz', nullable: true },
  filename: { type: 'text', nullable: false },
  bytes: { type: 'bigint', nullable: false },
} as const;
type SortKey = keyof typeof sortKeys;

/** The default order: a query with only excluded words ranks nothing. */
export function defaultSort(filters: SearchFilters): ImageSort {
  const terms = parseQuery(filters.q ?? '')?.flat() ?? [];
  return terms.some((term) => !term.not) ? 'relevance' : '-created_at';
}

/**
 * Matching images of a project, sorted, at most `limit`, after a position. Ties are broken by
 * identifier, so that no page repeats or skips an image when others are added. Images without the
 * sort value come last.
 */
export async function searchImages(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  page: SearchPage,
): Promise<FoundImage[]> {
  if (page.sort === 'relevance') return searchRanked(tx, projectId, filters, page);
  const key = page.sort.replace('-', '') as SortKey;
  if (!sortKeys[key].nullable) return searchSorted(tx, projectId, filters, page, key, null);
  const withValue =
    page.after?.[0] === null
      ? []
      : await searchSorted(tx, projectId, filters, page, key, 'NOT NULL');
  if (withValue.length === page.limit) return withValue;
  // Starts at the first image without a value, or after the last one of the previous page.
  const nullsPage = {
    ...page,
    after: page.after?.[0] === null ? page.after : null,
    limit: page.limit - withValue.length,
  };
  return [...withValue, ...(await searchSorted(tx, projectId, filters, nullsPage, key, 'NULL'))];
}

/** The images of a search, whose misspelt words can be corrected. */
export function imageCorpus(projectId: string, filters: SearchFilters): Corpus {
  const from = (values: unknown[], add: (where: Conditions) => void): string => {
    const where = new Conditions(values);
    where.add('image_search.project_id = ?', projectId);
    add(where);
    return `image_search WHERE ${where.sql()}`;
  };
  return {
    matches: (q, values) => from(values, (where) => addImageConditions({ ...filters, q }, where)),
    containing: (term, values) =>
      from(values, (where) =>
        where.add(`document @@ to_tsquery('library', ?)`, toTsquery([[term]])),
      ),
  };
}

/** The stops of a search, as `searchImages` sorts it. */
export function readImageStops(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  sort: ImageSort,
): Promise<StopRow[]> {
  const where = new Conditions();
  if (sort === 'relevance') {
    const matches = rankedMatches(projectId, filters, where);
    const list = { id: 'id', key: 'rank', position: 'key', order: 'rank DESC, id DESC', matches };
    return readStops(tx, list, where.values);
  }
  where.add('image_search.project_id = ?', projectId);
  addImageConditions(filters, where);
  const key = sort.replace('-', '') as SortKey;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const order = `${key} ${direction} NULLS LAST, image_id ${direction}`;
  const matches = `image_search WHERE ${where.sql()}`;
  const position = positionSql(key, 'key');
  return readStops(tx, { id: 'image_id', key, position, order, matches }, where.values);
}

async function searchSorted(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  { sort, after, limit }: SearchPage,
  key: SortKey,
  nulls: 'NULL' | 'NOT NULL' | null,
): Promise<FoundImage[]> {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const comparison = sort.startsWith('-') ? '<' : '>';
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  addImageConditions(filters, where);
  if (nulls) where.add(`${key} IS ${nulls}`);
  if (after && nulls === 'NULL') where.add(`image_id ${comparison} ?`, after[1]);
  else if (after)
    where.add(`(${key}, image_id) ${comparison} (?::${sortKeys[key].type}, ?)`, ...after);
  return query<FoundImage>(
    tx,
    `SELECT image_id AS id, ${positionSql(key)} AS position FROM image_search WHERE ${where.sql()}
     ORDER BY ${key} ${direction}, image_id ${direction} LIMIT ${Math.trunc(limit)}`,
    where.values,
  );
}

/** The cursor's value of a sort key. */
function positionSql(key: SortKey, column: string = key): string {
  // With microseconds: a cursor in milliseconds would skip or repeat rows within the same
  // millisecond.
  return sortKeys[key].type === 'timestamptz'
    ? `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : column;
}

async function searchRanked(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  { after, limit }: SearchPage,
): Promise<FoundImage[]> {
  const where = new Conditions();
  const matches = rankedMatches(projectId, filters, where);
  const startSql = after && `(rank, id) < (${where.bind(after[0])}::real, ${where.bind(after[1])})`;
  // The newest are sorted with their documents.
  sortInMemory(tx);
  return query<FoundImage>(
    tx,
    `SELECT id, rank AS position FROM ${matches}
     ${startSql ? `WHERE ${startSql}` : ''} ORDER BY rank DESC, id DESC LIMIT ${Math.trunc(limit)}`,
    where.values,
  );
}

/** The newest matches with their rank, as the part of a statement after FROM. */
function rankedMatches(projectId: string, filters: SearchFilters, where: Conditions): string {
  where.add('image_search.project_id = ?', projectId);
  addImageConditions(filters, where);
  const parsed = parseQuery(filters.q ?? '');
  const words = `to_tsquery('library', ${where.bind(parsed ? toTsquery(parsed) : '')})`;
  return `(SELECT image_id AS id, ts_rank(document, ${words}) AS rank FROM (
       SELECT image_id, document FROM image_search WHERE ${where.sql()}
       ORDER BY created_at DESC, image_id DESC LIMIT ${maxRanked}) newest) ranked`;
}
