import type { Origin } from '../../contracts/origin.ts';
import type { ObjectSort } from '../../contracts/wire/library/objects.ts';
import { query, type Tx } from '../../db/transaction.ts';
import type { ObjectState, StoredObject } from '../../entities/library/stored-object.ts';
import { loadPolicies } from '../../policies/queries.ts';
import { textRestriction } from '../../policies/text-restriction.ts';
import { sharedTag, type TagFilter } from '../tag-filter.ts';
import { objectColumns } from './load.ts';
import { searchCondition } from './search.ts';

/** The filters of a list of objects. */
export interface ObjectFilters {
  /** By default, all states outside the trash. */
  state?: readonly ObjectState[] | undefined;
  /** Any of these; `image/*` matches all images. */
  mime?: readonly string[] | undefined;
  /** Words in the details or in the recognised text, in the language of searches. */
  q?: string | undefined;
  /** All of these must match. */
  tags?: readonly TagFilter[] | undefined;
  /** Made from this object. */
  derivedFrom?: string | undefined;
  source?: 'upload' | 'job' | undefined;
  /** Outputs of jobs of any of these kinds. */
  kind?: readonly string[] | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
}

/** The project to list, and the caller's address: policies may hide text from it. */
export type Caller = Pick<Origin, 'projectId' | 'address'>;

/** The start of a page: after the object with these values of the sort keys. */
export type ObjectPosition = [key: string | number, id: string];

/** An object of a list, with its sort key in the database's full precision. */
interface ListedObject extends StoredObject {
  position: string | number;
}

interface SortKey {
  column: string;
  /** The key in a cursor, and its type when it is read back. */
  position: string;
  type: string;
}

const sortKeys: Record<'created_at' | 'filename' | 'bytes', SortKey> = {
  created_at: {
    column: 'created_at',
    // With microseconds: a cursor in milliseconds would skip or repeat rows of the same one.
    position: `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    type: 'timestamptz',
  },
  filename: { column: 'filename', position: 'filename', type: 'text' },
  bytes: { column: 'bytes', position: 'bytes', type: 'bigint' },
};

/**
 * Matching objects of a project, sorted, at most `limit`, after a position. Ties are broken by
 * identifier, so that no page repeats or skips an object when others are added.
 */
export async function listObjects(
  tx: Tx,
  caller: Caller,
  filters: ObjectFilters,
  page: { sort: ObjectSort; after: ObjectPosition | null; limit: number },
): Promise<ListedObject[]> {
  const descending = page.sort.startsWith('-');
  const key = sortKeys[page.sort.replace('-', '') as keyof typeof sortKeys];
  const values: unknown[] = [];
  const conditions = await conditionsOf(tx, caller, filters, values);
  if (page.after) {
    values.push(...page.after);
    const from = `($${values.length - 1}::${key.type}, $${values.length}::text COLLATE "C")`;
    conditions.push(`(${key.column}, id) ${descending ? '<' : '>'} ${from}`);
  }
  values.push(page.limit);
  const direction = descending ? 'DESC' : 'ASC';
  return query<ListedObject>(
    tx,
    `SELECT ${objectColumns}, ${key.position} AS position FROM ${relationOf(filters)}
     WHERE ${conditions.join(' AND ')}
     ORDER BY ${key.column} ${direction}, id ${direction} LIMIT $${values.length}`,
    values,
  );
}

/** The exact number of matching objects. */
export async function countObjects(
  tx: Tx,
  caller: Caller,
  filters: ObjectFilters,
): Promise<number> {
  const values: unknown[] = [];
  const conditions = await conditionsOf(tx, caller, filters, values);
  const [row] = await query<{ total: number }>(
    tx,
    `SELECT count(*) AS total FROM ${relationOf(filters)} WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return row?.total ?? 0;
}

/**
 * The relation to read. Row-level security prevents the use of indexes on words and tags, so these
 * filters query the view. It shows rows of the transaction's project only; a second condition on
 * the project would prevent the use of its indexes.
 */
function relationOf(filters: ObjectFilters): string {
  return filters.q === undefined && !filters.tags?.length
    ? 'object'
    : 'object JOIN object_search USING (id)';
}

async function conditionsOf(
  tx: Tx,
  { projectId, address }: Caller,
  filters: ObjectFilters,
  values: unknown[],
): Promise<string[]> {
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const project = bind(projectId);
  const conditions = [`project_id = ${project}`];
  conditions.push(
    filters.state ? `state = ANY(${bind(filters.state)}::text[])` : `state <> 'trashed'`,
  );
  if (filters.mime) {
    const wanted = filters.mime.map((mime) => mime.toLowerCase());
    const exact = wanted.filter((mime) => !mime.endsWith('/*'));
    const families = wanted.filter((mime) => mime.endsWith('/*')).map((mime) => mime.slice(0, -2));
    conditions.push(
      `(mime = ANY(${bind(exact)}::text[]) OR split_part(mime, '/', 1) = ANY(${bind(families)}::text[]))`,
    );
  }
  if (filters.q !== undefined) {
    const policies = await loadPolicies(tx, projectId, 'read');
    const restricted = textRestriction(policies, { address, at: new Date() }, bind);
    conditions.push(searchCondition(filters.q, restricted, bind));
  }
  for (const { not, anyOf } of filters.tags ?? []) {
    conditions.push(`${not ? 'NOT ' : ''}${sharedTag('tagged', bind(anyOf))}`);
  }
  if (filters.derivedFrom) conditions.push(`derived_from = ${bind(filters.derivedFrom)}`);
  if (filters.source) conditions.push(`source_kind = ${bind(filters.source)}`);
  if (filters.kind) {
    conditions.push(
      `id IN (SELECT object_id FROM job_output WHERE project_id = ${project} AND kind = ANY(${bind(filters.kind)}::text[]))`,
    );
  }
  // By the epoch: Postgres cannot parse every year and time zone that JavaScript writes.
  const time = (date: Date): string =>
    `to_timestamp(${bind(date.getTime())}::double precision / 1000)`;
  if (filters.createdAfter) conditions.push(`created_at > ${time(filters.createdAfter)}`);
  if (filters.createdBefore) conditions.push(`created_at < ${time(filters.createdBefore)}`);
  return conditions;
}
