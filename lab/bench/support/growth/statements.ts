import type { Bench } from '../bench.ts';

/** The cost of one statement of the service, per call. */
export interface StatementCost {
  calls: number;
  /** Milliseconds of planning and execution. */
  milliseconds: number;
  /** Pages of 8 KiB that it read, cached or not: the same on a busy machine. */
  pages: number;
}

const inThisDatabase = `dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Resets the recorded costs of the statements in a ground's database. */
export async function resetStatements(bench: Bench): Promise<void> {
  await bench.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await bench.query(
    `SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()`,
  );
}

/** Counts the pages that the API's statements have read since the reset. */
export async function readPages(bench: Bench): Promise<number> {
  const [row] = await bench.query<{ pages: number }>(
    `SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 AS pages
     FROM pg_stat_statements WHERE ${inThisDatabase} AND userid = 'api'::regrole`,
  );
  return row?.pages ?? 0;
}

/** The cost of each statement of the service's roles since the reset, keyed by its text. */
export async function readStatements(bench: Bench): Promise<Map<string, StatementCost>> {
  const rows = await bench.query<StatementCost & { text: string }>(
    `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS text, sum(calls)::integer AS calls,
       sum(total_exec_time + total_plan_time) / sum(calls) AS milliseconds,
       (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float8 AS pages
     FROM pg_stat_statements JOIN pg_roles r ON r.oid = userid
     WHERE ${inThisDatabase} AND NOT r.rolsuper AND query ~* '^\\s*(SELECT|WITH|INSERT|UPDATE|DELETE)'
     GROUP BY text HAVING sum(calls) > 0`,
  );
  return new Map(rows.map(({ text, ...cost }) => [text, cost]));
}
