import { query, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/consumer.ts';
import { type FeedBounds, feedConditions } from '../feed.ts';
import { filtersOf } from './read.ts';

/** How many events of the feed are looked at, to count those of a consumer's filters. */
const counted = 10_000;

/**
 * How many events a consumer has before it, of those its filters want: exact up to ten thousand events
 * of the feed, beyond that with all the others, so that it is never told to be less than it is.
 * @param from reading goes on after it
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
  const to = Math.min(bounds.latest, from + counted);
  const where = feedConditions(consumer.projectId, filtersOf(consumer));
  where.add('sequence > ? AND sequence <= ?', from, to);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM event WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n + (bounds.latest - to);
}
