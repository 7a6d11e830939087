import {
  type StatsPeriod,
  statsPeriods,
  type WebhookStats,
} from '@scriptorium/contracts/wire/webhook-stats';
import { prepared, type Tx } from '../../db/transaction.ts';
import {
  addCells,
  addCounters,
  type Counters,
  emptyCounters,
  presentCounters,
} from './counters.ts';
import { cellWidth } from './tally.ts';

interface StatRow {
  now: Date;
  /** Null without any rows. */
  since: Date | null;
  outcomes: number[] | null;
  latencies: number[] | null;
  response_ms: number;
  /** The attempts of a tally that is not folded yet. */
  cells: number[] | null;
}

/** The outcomes of the attempts at an endpoint in a period that ends now. */
export async function readStats(
  tx: Tx,
  projectId: string,
  endpointId: string,
  period: StatsPeriod,
): Promise<WebhookStats> {
  const { stepMinutes, points } = statsPeriods[period];
  const rows = await prepared<StatRow>(
    tx,
    // Reads counters and tallies in one statement, so that each attempt is counted once while
    // tallies are folded.
    `SELECT now() AS now, found.* FROM (SELECT) AS one LEFT JOIN LATERAL (
       SELECT since, outcomes, latencies, response_ms, NULL::smallint[] AS cells FROM webhook_stat
       WHERE project_id = $1 AND endpoint_id = $2 AND minutes = $3
         AND since > now() - $4 * interval '1 minute'
       UNION ALL
       SELECT at, NULL, NULL, response_ms, cells FROM webhook_tally
       WHERE project_id = $1 AND endpoint_id = $2 AND at > now() - $4 * interval '1 minute'
     ) AS found ON true`,
    [projectId, endpointId, period === '24h' ? 5 : 60, stepMinutes * points],
  );
  const stepMs = stepMinutes * 60_000;
  const until = (Math.floor(rows[0]!.now.getTime() / stepMs) + 1) * stepMs;
  const since = until - points * stepMs;
  const series = Array.from({ length: points }, emptyCounters);
  const totals = emptyCounters();
  for (const row of rows) {
    const bucket = row.since && series[Math.floor((row.since.getTime() - since) / stepMs)];
    if (!bucket) continue;
    for (const to of [bucket, totals]) addRow(to, row);
  }
  return {
    webhook_id: endpointId,
    period,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    step_seconds: stepMs / 1_000,
    totals: presentCounters(totals),
    series: series.map((counters, at) => ({
      since: new Date(since + at * stepMs).toISOString(),
      ...presentCounters(counters),
    })),
  };
}

function addRow(target: Counters, row: StatRow): void {
  const { outcomes, latencies, response_ms: responseMs, cells } = row;
  if (cells) addCells(target, cells, responseMs);
  else if (outcomes && latencies) addCounters(target, { outcomes, latencies, responseMs });
}

/**
 * The attempts at an endpoint in the last hour, in SQL over its flow `f`: columns `attempts` and
 * `failed`.
 */
export const lastHourSql = `SELECT coalesce(sum(n), 0)::integer AS attempts,
    coalesce(sum(n - succeeded), 0)::integer AS failed
  FROM (
    SELECT (SELECT sum(o) FROM unnest(s.outcomes) AS o) AS n, s.outcomes[1] AS succeeded
    FROM webhook_stat s WHERE s.project_id = f.project_id AND s.endpoint_id = f.endpoint_id
      AND s.minutes = 5 AND s.since > now() - interval '1 hour'
    UNION ALL
    SELECT cardinality(t.cells), (SELECT count(*) FROM unnest(t.cells) AS c WHERE c < ${cellWidth})
    FROM webhook_tally t WHERE t.project_id = f.project_id AND t.endpoint_id = f.endpoint_id
      AND t.at > now() - interval '1 hour') AS counted`;
