/**
 * A statement that counts rows by the month of `created_at` in UTC, newest first; `found` is the
 * part after FROM.
 */
export function monthsOf(found: string): string {
  return `SELECT to_char(start, 'YYYY-MM') AS month, count FROM (
      SELECT date_trunc('month', created_at AT TIME ZONE 'UTC') AS start, count(*) AS count
      FROM ${found} GROUP BY start) months
    ORDER BY start DESC`;
}
