import { send, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/outbox/consumer.ts';
import { cursorExpired, readBounds } from '../bounds.ts';
import { type FeedResult, readPage } from '../feed.ts';
import type { FeedFilters } from '../filters.ts';
import { isExpired } from './store.ts';

/** Reads within this interval are recorded once. */
const noteInterval = '10 seconds';

export interface ConsumerPage extends FeedResult {
  /** The position to commit once the events are processed. */
  position: number;
  /** Nothing is left to process up to this position, which may be past events that filters exclude. */
  processedUpTo: number;
}

/** The filters of a consumer. */
export function filtersOf(consumer: Consumer): FeedFilters {
  return {
    category: consumer.category,
    types: consumer.eventTypes ?? undefined,
    resourceId: consumer.resourceId === null ? undefined : [consumer.resourceId],
    resourceType: consumer.resourceType === null ? undefined : [consumer.resourceType],
  };
}

/**
 * Reads the events after a consumer's position. Reading does not move it: every reader gets the same
 * events until one commits. `from` skips events that the same reader has already found to be
 * excluded by the filters.
 * @throws Problem 410 `cursor_expired` when some of the events are no longer retained
 */
export async function readForConsumer(
  tx: Tx,
  consumer: Consumer,
  page: { from: number; limit: number },
): Promise<ConsumerPage> {
  const bounds = await readBounds(tx, consumer.projectId, consumer.category);
  if (isExpired(consumer, bounds)) {
    throw cursorExpired(
      bounds.earliest,
      `the consumer is at ${consumer.position}; seek to {"to": "earliest"} to continue without the missing events`,
    );
  }
  const after = Math.max(page.from, consumer.position);
  const result = await readPage(
    tx,
    consumer.projectId,
    filtersOf(consumer),
    { after, order: 'asc', limit: page.limit },
    bounds,
  );
  const position = result.position ?? after;
  const processedUpTo = result.events.length > 0 ? after : position;
  recordReading(tx, consumer, processedUpTo);
  return { ...result, position, processedUpTo };
}

/**
 * Records at intervals that a consumer was read, and moves it past events that its filters exclude.
 * Clients never commit these, so a consumer that waits for a rare event would otherwise expire with
 * them. Skipped if the consumer has moved since, or is being moved.
 */
function recordReading(tx: Tx, consumer: Consumer, processedUpTo: number): void {
  send(
    tx,
    `UPDATE consumer SET last_read_at = now(), position = greatest(position, $4)
     WHERE project_id = $1 AND id IN (
       SELECT id FROM consumer WHERE project_id = $1 AND id = $2 AND version = $3
         AND (last_read_at IS NULL OR last_read_at < now() - interval '${noteInterval}')
       FOR UPDATE SKIP LOCKED)`,
    [consumer.projectId, consumer.id, consumer.version, processedUpTo],
  );
}
