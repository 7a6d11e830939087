import type { ObjectSort } from '@scriptorium/contracts/wire/library/objects';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { readStops, type StopRow } from '../../db/statements/stops.ts';
import { query, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { matchingObjectsSql, type ObjectSearch } from './conditions.ts';
import { objectColumns } from './load.ts';

const sortKeys: SortKeys<'created_at' | 'filename' | 'bytes' | 'mime'> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  filename: { column: 'filename', type: 'text' },
  bytes: { column: 'bytes', type: 'bigint' },
  mime: { column: 'mime', type: 'text' },
};

/** The stops of the list of matching objects. */
export function readObjectStops(
  tx: Tx,
  search: ObjectSearch,
  sort: ObjectSort,
): Promise<StopRow[]> {
  const { key, keyPosition, order } = keysetOf(sortKeys, sort);
  const values: unknown[] = [];
  const matches = matchingObjectsSql(search, values);
  return readStops(tx, { id: 'id', key, position: keyPosition, order, matches }, values);
}

/** Matching objects, sorted, at most `limit`, after a position. */
export async function listObjects(
  tx: Tx,
  search: ObjectSearch,
  page: { sort: ObjectSort; after: Position | null; limit: number },
): Promise<(StoredObject & Positioned)[]> {
  const keyset = keysetOf(sortKeys, page.sort);
  const where = new Conditions();
  const found = matchingObjectsSql(search, where.values);
  keyset.startAfter(where, page.after);
  return query<StoredObject & Positioned>(
    tx,
    `SELECT ${objectColumns}, ${keyset.position}
     FROM ${[found, where.sql()].filter(Boolean).join(' AND ')}
     ORDER BY ${keyset.order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
}
