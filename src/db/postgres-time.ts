import type { DataSource } from 'typeorm';

/** The time of Postgres when `performance.now()` was 0; null before the first measurement. */
let timeOrigin: number | null = null;

/**
 * The current time by the clock of Postgres, in milliseconds since 1970, derived from the latest
 * measurement: exact to within the duration of one query. For times that another process or a
 * statement compares. Changes of this machine's clock have no effect.
 * @throws Error before a database is opened; it never falls back to the clock of this machine
 */
export function postgresTime(): number {
  if (timeOrigin === null)
    throw new Error('The time of Postgres is unknown until a database is opened.');
  return Math.floor(timeOrigin + performance.now());
}

/** Measures the clock of Postgres. `openDatabase` does so first, then `watchClock` every minute. */
export async function measureClock(database: DataSource): Promise<void> {
  const sentAt = performance.now();
  const rows: { ms: number }[] = await database.query(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  const receivedAt = performance.now();
  // The clock was read between these two moments. A slow query is imprecise, so the previous
  // measurement stays unless the query contradicts it.
  const [min, max] = [rows[0]!.ms - receivedAt, rows[0]!.ms - sentAt];
  timeOrigin = Math.min(Math.max(timeOrigin ?? (min + max) / 2, min), max);
}
