import type { Conditions } from './conditions.ts';

/**
 * A sort key of a list. Identifiers sort by the time of their creation, so `id` alone is an order; every
 * other key is an SQL expression over the row that is never null.
 */
type SortKey = 'id' | { column: string; type: 'timestamptz' | 'text' | 'bigint' };

/** The keys of a list by the name that requests use. */
export type SortKeys<Name extends string = string> = Readonly<Record<Name, SortKey>>;

/** The name of a key: ascending, or descending after a minus. */
export type Sort<Name extends string = string> = Name | `-${Name}`;

/** The start of a page: after the row with these values, as `positionOf` returned them. */
export type Position = readonly (string | number | null)[];

/** A row of a list with its sort key, in the database's full precision. */
export interface Positioned {
  id: string;
  position: string;
}

/** The parts of a statement that reads a sorted list page by page. */
interface Keyset {
  /** The sort key, and `position` for a row that has it as `key`. */
  key: string;
  keyPosition: string;
  /** Follows SELECT. A time keeps the microseconds that a JavaScript date would drop. */
  position: string;
  /** Follows ORDER BY. Ties are broken by identifier, so that no page repeats or skips a row. */
  order: string;
  /** Adds the condition for rows after a position; none on the first page. */
  startAfter(where: Conditions, after: Position | null): void;
  /** The values that the next page starts after. */
  positionOf(row: Positioned): string[];
}

/** @param table qualifies the identifier if several tables are read */
export function keysetOf<Name extends string>(
  keys: SortKeys<Name>,
  sort: Sort<Name>,
  table?: string,
): Keyset {
  const descending = sort.startsWith('-');
  const key = keys[sort.replace('-', '') as Name];
  const direction = descending ? 'DESC' : 'ASC';
  const operator = descending ? '<' : '>';
  const id = table === undefined ? 'id' : `${table}.id`;
  if (key === 'id') {
    return {
      key: id,
      keyPosition: 'key',
      position: `${id} AS position`,
      order: `${id} ${direction}`,
      startAfter: (where, after) => after && where.add(`${id} ${operator} ?`, after[0]),
      positionOf: (row) => [row.id],
    };
  }
  const { column, type } = key;
  return {
    key: column,
    keyPosition: 'key::text',
    position: `(${column})::text AS position`,
    order: `${column} ${direction}, ${id} ${direction}`,
    startAfter: (where, after) =>
      after &&
      where.add(`(${column}, ${id}) ${operator} (?::${type}, ?::text COLLATE "C")`, ...after),
    positionOf: (row) => [row.position, row.id],
  };
}
