import type { ImageSort } from '@scriptorium/contracts/wire/library/images';
import { Conditions } from '../../../db/statements/conditions.ts';
import { sortInMemory } from '../../../db/statements/rows.ts';
import { readStops, type StopRow } from '../../../db/statements/stops.ts';
import { query, type Tx } from '../../../db/transaction.ts';
import { imageConditions, type SearchFilters } from './filters.ts';
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

/** How many of the matches are ranked: the newest. */
const ranked = 10_000;

const keys = {
  created_at: { type: 'timestamptz', nullable: false },
  updated_at: { type: 'timestamptz', nullable: false },
  captured_at: { type: 'timestamptz', nullable: true },
  filename: { type: 'text', nullable: false },
  bytes: { type: 'bigint', nullable: false },
} as const;
type Key = keyof typeof keys;

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
  const key = page.sort.replace('-', '') as Key;
  if (!keys[key].nullable) return searchSorted(tx, projectId, filters, page, key, null);
  const found =
    page.after?.[0] === null
      ? []
      : await searchSorted(tx, projectId, filters, page, key, 'NOT NULL');
  if (found.length === page.limit) return found;
  // Starts at the first image without a value, or after the previous page's last one of these.
  const rest = {
    ...page,
    after: page.after?.[0] === null ? page.after : null,
    limit: page.limit - found.length,
  };
  return [...found, ...(await searchSorted(tx, projectId, filters, rest, key, 'NULL'))];
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
  imageConditions(filters, where);
  const key = sort.replace('-', '') as Key;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const order = `${key} ${direction} NULLS LAST, image_id ${direction}`;
  const matches = `image_search WHERE ${where.sql()}`;
  const position = positionOf(key, 'key');
  return readStops(tx, { id: 'image_id', key, position, order, matches }, where.values);
}

async function searchSorted(
  tx: Tx,
  projectId: string,
  filters: SearchFilters,
  { sort, after, limit }: SearchPage,
  key: Key,
  only: 'NULL' | 'NOT NULL' | null,
): Promise<FoundImage[]> {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const beyond = sort.startsWith('-') ? '<' : '>';
  const where = new Conditions();
  where.add('image_search.project_id = ?', projectId);
  imageConditions(filters, where);
  if (only) where.add(`${key} IS ${only}`);
  if (after && only === 'NULL') where.add(`image_id ${beyond} ?`, after[1]);
  else if (after) where.add(`(${key}, image_id) ${beyond} (?::${keys[key].type}, ?)`, ...after);
  return query<FoundImage>(
    tx,
    `SELECT image_id AS id, ${positionOf(key)} AS position FROM image_search WHERE ${where.sql()}
     ORDER BY ${key} ${direction}, image_id ${direction} LIMIT ${Math.trunc(limit)}`,
    where.values,
  );
}

/** The cursor's value of a sort key. */
function positionOf(key: Key, column: string = key): string {
  // With microseconds: a cursor in milliseconds would skip or repeat rows within the same
  // millisecond.
  return keys[key].type === 'timestamptz'
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
  const start = after && `(rank, id) < (${where.bind(after[0])}::real, ${where.bind(after[1])})`;
  // The newest are sorted with their documents.
  sortInMemory(tx);
  return query<FoundImage>(
    tx,
    `SELECT id, rank AS position FROM ${matches}
     ${start ? `WHERE ${start}` : ''} ORDER BY rank DESC, id DESC LIMIT ${Math.trunc(limit)}`,
    where.values,
  );
}

/** The newest matches with their rank, as the part of a statement after FROM. */
function rankedMatches(projectId: string, filters: SearchFilters, where: Conditions): string {
  where.add('image_search.project_id = ?', projectId);
  imageConditions(filters, where);
  const parsed = parseQuery(filters.q ?? '');
  const words = `to_tsquery('library', ${where.bind(parsed ? toTsquery(parsed) : '')})`;
  return `(SELECT image_id AS id, ts_rank(document, ${words}) AS rank FROM (
       SELECT image_id, document FROM image_search WHERE ${where.sql()}
       ORDER BY created_at DESC, image_id DESC LIMIT ${ranked}) newest) ranked`;
}
