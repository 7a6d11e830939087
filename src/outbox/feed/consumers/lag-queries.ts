import { query, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/outbox/consumer.ts';
import type { FeedBounds } from '../bounds.ts';
import { feedConditions } from '../filters.ts';
import { filtersOf } from './read.ts';

/** How many events of the feed are read to count those that match the filters. */
const maxCounted = 10_000;

/**
 * Counts the events that a consumer has yet to read. Exact up to ten thousand events of the feed;
 * beyond that, events that its filters exclude count too, so that the lag is never understated.
 * @param from the sequence after which it continues
 */
export async function lagOf(
  tx: Tx,
  consumer: Consumer,
  bounds: Pick<FeedBounds, 'latest'>,
  from = consumer.position,
): Promise<number> {
  const behind = bounds.latest - from;
  const { category: _, ...filters } = filtersOf(consumer);
  if (behind === 0 || Object.values(filters).every((value) => value === undefined)) return behind;
  const to = Math.min(bounds.latest, from + maxCounted);
  const where = feedConditions(consumer.projectId, filtersOf(consumer));
  where.add('sequence > ? AND sequence <= ?', from, to);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM event WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n + (bounds.latest - to);
}
