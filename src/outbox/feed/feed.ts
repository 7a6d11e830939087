import type { EventRecord } from '../../contracts/wire/events.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import {
  type FeedBounds,
  type FeedPage,
  readBounds,
  refuseExpired,
  refuseGone,
  unknownPosition,
} from './bounds.ts';
import { type EventCategory, type FeedFilters, feedConditions, feedSource } from './filters.ts';

/** An event as the feed reads it. */
export interface FeedEvent {
  id: string;
  type: string;
  project_id: string;
  resource_id: string;
  occurred_at: Date;
  data: Record<string, unknown>;
  sequence: number;
  resource_type: string;
  category: EventCategory;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  address: string | null;
  request_id: string | null;
  published_at: Date | null;
}

const columns = `id, type, project_id, resource_id, occurred_at, data, sequence, resource_type, category,
  actor_type, actor_id, actor_name, address, request_id, published_at`;

export interface FeedResult {
  events: FeedEvent[];
  hasMore: boolean;
  /**
   * The sequence to continue after. Reading forwards, or up to a sequence, it is always set and
   * passes over events that the filters exclude; reading backwards to the end, it is null.
   */
  position: number | null;
  latest: number;
}

/**
 * Reads events in the order of their sequence. A reader that continues after each `position` misses
 * nothing: sequences are assigned after commit, without gaps.
 * @throws Problem 410 `cursor_expired` when some events after `after` are no longer retained, 400
 *   when `after` has not been assigned yet
 */
export async function readEvents(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  page: FeedPage,
): Promise<FeedResult> {
  for (let bounds = await readBounds(tx, projectId, filters.category); ; ) {
    // Reads the bounds again in the packet of the page: without an open transaction, events may
    // have been dropped since the first read.
    const [result, since] = await Promise.all([
      readPage(tx, projectId, filters, page, bounds),
      readBounds(tx, projectId, filters.category),
    ]);
    if (since.earliest <= bounds.earliest) return result;
    bounds = since;
  }
}

/**
 * Like `readEvents`, when the bounds were read in the same open transaction: everything numbered by
 * then is in the page's snapshot, and nothing can be dropped before the transaction ends.
 */
export async function readPage(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  page: FeedPage,
  bounds: FeedBounds,
): Promise<FeedResult> {
  refuseGone(page, bounds);
  const where = feedConditions(projectId, filters);
  const forwards = page.order === 'asc';
  if (bounds.earliest > 1) where.add('sequence >= ?', bounds.earliest);
  if (page.after !== null) where.add(`sequence ${forwards ? '>' : '<'} ?`, page.after);
  if (page.until !== undefined) where.add(`sequence ${forwards ? '<=' : '>='} ?`, page.until);
  const after = page.after ?? undefined;
  const { from, order } = feedSource(where, projectId, filters, {
    from: Math.max(bounds.earliest, (forwards ? after : page.until) ?? 0),
    to: forwards ? page.until : after,
  });
  const direction = forwards ? 'ASC' : 'DESC';
  const rows = await query<FeedEvent>(
    tx,
    `SELECT ${columns} FROM ${from} WHERE ${where.sql()}
     ORDER BY ${order.map((column) => `${column} ${direction}`).join(', ')} LIMIT ${page.limit + 1}`,
    where.values,
  );
  const events = rows.slice(0, page.limit);
  const hasMore = rows.length > page.limit;
  const last = events.at(-1)?.sequence;
  const end = forwards ? Math.max(bounds.latest, last ?? 0, page.after ?? 0) : null;
  return {
    events,
    hasMore,
    position: hasMore && last !== undefined ? last : (page.until ?? end),
    latest: Math.max(bounds.latest, events[0]?.sequence ?? 0, last ?? 0),
  };
}

/** How many events match the filters. */
export async function countEvents(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
): Promise<number> {
  const where = feedConditions(projectId, filters);
  const { from } = feedSource(where, projectId, filters, {});
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM ${from} WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

/** An event by its identifier. An event without a sequence is not found. */
export async function findEvent(tx: Tx, projectId: string, id: string): Promise<FeedEvent | null> {
  const [row] = await prepared<FeedEvent>(
    tx,
    `SELECT ${columns} FROM event WHERE project_id = $1 AND id = $2 AND sequence IS NOT NULL`,
    [projectId, id],
  );
  return row ?? null;
}

/**
 * The sequence of an event, for a reader that continues after it.
 * @throws Problem 410 `cursor_expired` for an identifier older than retention, 400 for one that is
 *   not in this feed
 */
export async function sequenceOf(
  tx: Tx,
  projectId: string,
  category: EventCategory,
  eventId: string,
): Promise<number> {
  const event = await findEvent(tx, projectId, eventId);
  if (event?.category === category) return event.sequence;
  if (event) {
    throw unknownPosition(`Event '${eventId}' is in the ${event.category} feed, not in this one.`);
  }
  await refuseExpired(tx, projectId, category, eventId);
  throw unknownPosition(`Event '${eventId}' not found.`);
}

/** An event as the API shows it. Addresses are only for readers of the audit feed. */
export function presentEvent(event: FeedEvent, options: { withAddress: boolean }): EventRecord {
  return {
    id: event.id,
    type: event.type,
    project_id: event.project_id,
    resource_id: event.resource_id,
    occurred_at: event.occurred_at.toISOString(),
    data: event.data,
    sequence: event.sequence,
    resource_type: event.resource_type,
    category: event.category,
    actor: { type: event.actor_type, id: event.actor_id, name: event.actor_name },
    address: options.withAddress ? event.address : null,
    request_id: event.request_id,
    published: event.published_at !== null,
    published_at: event.published_at?.toISOString() ?? null,
  };
}
