import { query, type Tx } from '../transaction.ts';
import { sortInMemory } from './rows.ts';

/**
 * A row of a list at which a page can start, with its sort key in the database's full precision.
 */
export interface StopRow {
  id: string;
  position: string | number | null;
}

/** The distance of stops: the maximum page size, so that a page reaches from one stop to the next. */
const stopStep = 200;

/** In longer lists, stops are farther apart. */
const maxStops = 1_000;

/**
 * Reads every 200th row of a list in its order: a page can start after each of them. Unlike an
 * offset, a stop keeps its place when rows are added before it.
 * @param list.matches the part of the statement after FROM
 */
export function readStops(
  tx: Tx,
  list: { id: string; key: string; position: string; order: string; matches: string },
  values: unknown[],
): Promise<StopRow[]> {
  const { id, key, position, order, matches } = list;
  sortInMemory(tx);
  return query<StopRow>(
    tx,
    `SELECT id, ${position} AS position FROM (
       SELECT ${id} AS id, ${key} AS key, row_number() OVER (ORDER BY ${order}) AS rank
       FROM ${matches}) ranked
     WHERE rank % ${stopStep} = 0 ORDER BY rank`,
    values,
  );
}

/** At most a thousand of the stops, at equal distances. */
export function thinOut<Row>(rows: readonly Row[], max = maxStops): { every: number; rows: Row[] } {
  const step = Math.max(1, Math.ceil(rows.length / max));
  return { every: step * stopStep, rows: rows.filter((_, at) => (at + 1) % step === 0) };
}
