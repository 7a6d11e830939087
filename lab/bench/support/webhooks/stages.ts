import type { Bench } from '../bench.ts';
import { percentile } from '../figures.ts';

/** The times of an event on its way to its receiver, in milliseconds since 1970. */
export interface Trip {
  id: string;
  committed: number;
  received: number;
}

interface TripRow {
  id: string;
  numbering: number;
  leased: number;
  exchange: number;
}

/**
 * Prints how the time of trips is distributed over their stages, at p50 and p99 and for the slowest
 * hundredth of trips. The database and this process use the same clock.
 */
export async function printStages(
  title: string,
  bench: Pick<Bench, 'query'>,
  trips: readonly Trip[],
): Promise<void> {
  const rows = await bench.query<TripRow>(
    `SELECT event_id AS id, extract(epoch FROM created_at)::float8 * 1000 AS numbering,
       extract(epoch FROM first_at)::float8 * 1000 AS leased, first_total_ms AS exchange
     FROM delivery WHERE event_id = ANY($1) AND first_at IS NOT NULL`,
    [trips.map(({ id }) => id)],
  );
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const stages = trips.flatMap(({ id, committed, received }) => {
    const row = rowsById.get(id);
    if (!row) return [];
    return {
      'commit to numbering': row.numbering - committed,
      'numbering to lease': row.leased - row.numbering,
      'lease to receipt': received - row.leased,
      'exchange with the receiver': row.exchange,
      all: received - committed,
    };
  });
  if (stages.length === 0) return;
  const threshold = percentile(
    stages.map(({ all }) => all),
    0.99,
  );
  const slowest = stages.filter(({ all }) => all >= threshold);
  for (const stage of Object.keys(stages[0]!) as (keyof (typeof stages)[0])[]) {
    const percentileOf = (some: typeof stages, share: number) =>
      percentile(
        some.map((one) => one[stage]),
        share,
      ).toFixed(1);
    process.stderr.write(
      `  ${title}, ${stage}: p50 ${percentileOf(stages, 0.5)} ms, p99 ${percentileOf(stages, 0.99)} ms, ` +
        `of the slowest hundredth ${percentileOf(slowest, 0.5)} ms\n`,
    );
  }
}
