/**
 * A statement that counts rows by the month of a time in UTC, newest first. `fromSql` is the part
 * after FROM.
 */
export function countByMonthSql(fromSql: string, column: string): string {
  return `SELECT to_char(start, 'YYYY-MM') AS month, count FROM (
      SELECT date_trunc('month', ${column} AT TIME ZONE 'UTC') AS start, count(*) AS count
      FROM ${fromSql} GROUP BY start) months
    ORDER BY start DESC`;
}
