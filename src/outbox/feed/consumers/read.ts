import { send, type Tx } from '../../../db/transaction.ts';
import type { Consumer } from '../../../entities/consumer.ts';
import { cursorExpired, type FeedFilters, type FeedResult, readBounds, readPage } from '../feed.ts';
import { isExpired } from './store.ts';

/** Readings closer together than this are noted once. */
const noteEvery = '10 seconds';

export interface ConsumerPage extends FeedResult {
  /** What to commit when the events are done with. */
  position: number;
  /** Up to where nothing is left to be done: the position, or past what the filters leave out. */
  done: number;
}

/** What a consumer wants of the feed. */
export function filtersOf(consumer: Consumer): FeedFilters {
  return {
    category: consumer.category,
    types: consumer.eventTypes ?? undefined,
    resourceId: consumer.resourceId === null ? undefined : [consumer.resourceId],
    resourceType: consumer.resourceType === null ? undefined : [consumer.resourceType],
  };
}

/**
 * Reads what follows a consumer's position. Reading does not move it: whoever reads again, here or in
 * another process, reads the same until somebody commits. `from` leaves out what the same reader has
 * seen to hold nothing, since that position.
 * @throws Problem 410 `cursor_expired` when part of what follows is no longer kept
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
      `the consumer stands at ${consumer.position}; seek to {"to": "earliest"} to go on, knowing that some are missed`,
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
  const done = result.events.length > 0 ? after : position;
  noteReading(tx, consumer, done);
  return { ...result, position, done };
}

/**
 * Notes that a consumer was read, now and then. What the filters leave out is nobody's to commit, so
 * a consumer that waits for what is rare passes over it by itself; left behind, it would expire with
 * events it never wanted. Who moved it meanwhile was right, and whoever is moving it is not waited for.
 */
function noteReading(tx: Tx, consumer: Consumer, done: number): void {
  send(
    tx,
    `UPDATE consumer SET last_read_at = now(), position = greatest(position, $4)
     WHERE project_id = $1 AND id IN (
       SELECT id FROM consumer WHERE project_id = $1 AND id = $2 AND version = $3
         AND (last_read_at IS NULL OR last_read_at < now() - interval '${noteEvery}')
       FOR UPDATE SKIP LOCKED)`,
    [consumer.projectId, consumer.id, consumer.version, done],
  );
}
