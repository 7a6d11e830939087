import { prepared, type Tx } from '../../db/transaction.ts';
import { readInIndexOrder } from '../../outbox/relay/due-task-queries.ts';
import { cellWidth, latencyCount, outcomeCount } from './tally.ts';

/** Maximum number of tallies that a transaction folds. */
const maxFolded = 2_000;

/** The intervals in which attempts are counted, and their retention. */
const intervals = [
  { minutes: 5, retention: '25 hours' },
  { minutes: 60, retention: '31 days' },
] as const;

const indexes = (count: number) => Array.from({ length: count }, (_, at) => at);
const outcomes = indexes(outcomeCount)
  .map((at) => `count(*) FILTER (WHERE cell / ${cellWidth} = ${at})`)
  .join(', ');
const latencies = indexes(latencyCount)
  .map((at) => `count(*) FILTER (WHERE cell % ${cellWidth} = ${at})`)
  .join(', ');
/** SQL: the sum of two arrays of counters. One may be longer, because a release may add classes. */
const sumSql = (column: string) => `ARRAY(
  SELECT coalesce(was, 0) + coalesce(more, 0)
  FROM unnest(s.${column}, excluded.${column}) WITH ORDINALITY AS n (was, more, at) ORDER BY at)`;

/**
 * Adds the oldest tallies to the counters of their endpoints. One process at a time does this.
 * Readers add up both, so the time of folding makes no difference.
 * @returns whether more may be left
 */
export async function foldTallies(tx: Tx): Promise<boolean> {
  readInIndexOrder(tx);
  const [row] = await prepared<{ taken: number }>(
    tx,
    `WITH chosen AS MATERIALIZED (
       SELECT endpoint_id, id FROM webhook_tally
       WHERE (SELECT pg_try_advisory_xact_lock(hashtext('fold webhook tallies')))
       ORDER BY endpoint_id, id LIMIT ${maxFolded}
     ), taken AS (
       DELETE FROM webhook_tally t USING chosen c
       WHERE t.endpoint_id = c.endpoint_id AND t.id = c.id RETURNING t.*
     ), counted AS (
       -- For endpoints that were not deleted meanwhile.
       SELECT t.project_id, t.endpoint_id, step.minutes,
         date_bin(step.minutes * interval '1 minute', t.at, timestamptz '1970-01-01Z') AS since,
         ARRAY[${outcomes}]::integer[] AS outcomes, ARRAY[${latencies}]::integer[] AS latencies,
         sum(t.response_ms) FILTER (WHERE place = 1) AS response_ms
       FROM taken t JOIN webhook_endpoint e ON e.id = t.endpoint_id
         CROSS JOIN unnest('{${intervals.map(({ minutes }) => minutes).join()}}'::smallint[]) AS step (minutes)
         CROSS JOIN unnest(t.cells) WITH ORDINALITY AS c (cell, place)
       GROUP BY 1, 2, 3, 4
     ), stored AS (
       INSERT INTO webhook_stat AS s (project_id, endpoint_id, minutes, since, outcomes, latencies, response_ms)
       SELECT * FROM counted ORDER BY endpoint_id, minutes, since
       ON CONFLICT (endpoint_id, minutes, since) DO UPDATE SET outcomes = ${sumSql('outcomes')},
         latencies = ${sumSql('latencies')}, response_ms = s.response_ms + excluded.response_ms
     )
     SELECT count(*) AS taken FROM taken`,
    [],
  );
  return row!.taken === maxFolded;
}

/**
 * Removes counters that are older than any period that can be requested.
 * @returns how many were removed
 */
export async function removeOldStats(tx: Tx): Promise<number> {
  const rows = await prepared<object>(
    tx,
    `DELETE FROM webhook_stat WHERE ${intervals
      .map(
        ({ minutes, retention }) =>
          `(minutes = ${minutes} AND since < now() - interval '${retention}')`,
      )
      .join(' OR ')} RETURNING 1`,
    [],
  );
  return rows.length;
}
