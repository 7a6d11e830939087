import type { DataSource } from 'typeorm';

/** The time of Postgres when `performance.now()` was 0; null before the first look. */
let base: number | null = null;

/**
 * Now by the clock of Postgres, in milliseconds since 1970, as the latest look at it leads to expect:
 * right to within the duration of one query. For what another process or a statement compares.
 * Changes of this machine's clock have no effect.
 * @throws Error before a database was opened, rather than use the clock of this machine
 */
export function postgresTime(): number {
  if (base === null) throw new Error('The time of Postgres is unknown until a database is opened.');
  return Math.floor(base + performance.now());
}

/** Looks at the clock of Postgres. `openDatabase` does so first, `watchClock` every minute. */
export async function lookAtClock(database: DataSource): Promise<void> {
  const asked = performance.now();
  const rows: { ms: number }[] = await database.query(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  const answered = performance.now();
  // It was read between the two. A slow query says little, so what is known already stays unless the
  // query proves it wrong.
  const [min, max] = [rows[0]!.ms - answered, rows[0]!.ms - asked];
  base = Math.min(Math.max(base ?? (min + max) / 2, min), max);
}
