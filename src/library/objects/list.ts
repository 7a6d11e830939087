import type { ObjectSort } from '../../contracts/wire/library/objects.ts';
import { query, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { matching, type ObjectSearch } from './conditions.ts';
import { objectColumns } from './load.ts';

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

const sortKeys: Record<'created_at' | 'filename' | 'bytes' | 'mime', SortKey> = {
  created_at: {
    column: 'created_at',
    // With microseconds: a cursor in milliseconds would skip or repeat rows of the same one.
    position: `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    type: 'timestamptz',
  },
  filename: { column: 'filename', position: 'filename', type: 'text' },
  bytes: { column: 'bytes', position: 'bytes', type: 'bigint' },
  mime: { column: 'mime', position: 'mime', type: 'text' },
};

/**
 * Matching objects, sorted, at most `limit`, after a position. Ties are broken by
 * identifier, so that no page repeats or skips an object when others are added.
 */
export async function listObjects(
  tx: Tx,
  search: ObjectSearch,
  page: { sort: ObjectSort; after: ObjectPosition | null; limit: number },
): Promise<ListedObject[]> {
  const descending = page.sort.startsWith('-');
  const key = sortKeys[page.sort.replace('-', '') as keyof typeof sortKeys];
  const values: unknown[] = [];
  let found = matching(search, values);
  if (page.after) {
    values.push(...page.after);
    const from = `($${values.length - 1}::${key.type}, $${values.length}::text COLLATE "C")`;
    found += ` AND (${key.column}, id) ${descending ? '<' : '>'} ${from}`;
  }
  values.push(page.limit);
  const direction = descending ? 'DESC' : 'ASC';
  return query<ListedObject>(
    tx,
    `SELECT ${objectColumns}, ${key.position} AS position FROM ${found}
     ORDER BY ${key.column} ${direction}, id ${direction} LIMIT $${values.length}`,
    values,
  );
}
