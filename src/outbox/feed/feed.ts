import type { EventRecord } from '@scriptorium/contracts/wire/events';
import type { Conditions } from '../../db/statements/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import {
  type FeedBounds,
  type FeedPage,
  readBounds,
  rejectExpired,
  rejectOutsideBounds,
  unknownPosition,
} from './bounds.ts';
import {
  type EventCategory,
  type FeedFilters,
  feedConditions,
  feedSource,
  isSingleType,
} from './filters.ts';
import { eventsOfTypes, maxFeedScan } from './rare-types.ts';

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
    const [result, boundsAfter] = await Promise.all([
      readPage(tx, projectId, filters, page, bounds),
      readBounds(tx, projectId, filters.category),
    ]);
    const currentBounds = result.usedTypeIndex
      ? await readBounds(tx, projectId, filters.category)
      : boundsAfter;
    if (currentBounds.earliest <= bounds.earliest) return result;
    bounds = currentBounds;
  }
}

/**
 * Like `readEvents`, for bounds that were read in the same open transaction: the snapshot of the
 * page includes everything numbered by then, and nothing can be dropped before the transaction
 * ends.
 * @returns also whether it took a second statement, which reads the index of types
 */
export async function readPage(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  page: FeedPage,
  bounds: FeedBounds,
): Promise<FeedResult & { usedTypeIndex: boolean }> {
  rejectOutsideBounds(page, bounds);
  const { after, until, order } = page;
  const limit = page.limit + 1;
  const edge = feedScanEnd(filters, page, bounds);
  const near = pageStatement(
    projectId,
    filters,
    edge === null ? page : { ...page, until: edge },
    bounds,
  );
  const rows = await query<FeedEvent>(tx, near.text, near.where.values);
  const usedTypeIndex = edge !== null && rows.length < limit;
  if (usedTypeIndex) {
    const farther = pageStatement(
      projectId,
      filters,
      { ...page, after: edge },
      bounds,
      filters.types,
    );
    rows.push(...(await query<FeedEvent>(tx, farther.text, farther.where.values)));
  }
  const events = rows.slice(0, page.limit);
  const hasMore = rows.length > page.limit;
  const last = events.at(-1)?.sequence;
  const end = order === 'asc' ? Math.max(bounds.latest, last ?? 0, after ?? 0) : null;
  return {
    events,
    hasMore,
    position: hasMore && last !== undefined ? last : (until ?? end),
    latest: Math.max(bounds.latest, events[0]?.sequence ?? 0, last ?? 0),
    usedTypeIndex,
  };
}

/**
 * The sequence up to which a page is read from the feed before it is read from the index of types;
 * null if all of it is read from the feed.
 */
function feedScanEnd(
  filters: FeedFilters,
  { after, until, order }: FeedPage,
  { earliest, latest }: FeedBounds,
): number | null {
  const { types, resourceId, resourceType, actorType, actorId, address, requestId } = filters;
  if (!types || isSingleType(types)) return null;
  // If these filters exclude every event of a type, all its events would be read.
  if (resourceId || resourceType || actorType || actorId || address || requestId) return null;
  if (filters.published !== undefined) return null;
  if (order === 'asc') {
    const edge = Math.max(after ?? 0, earliest - 1) + maxFeedScan;
    return edge < (until ?? latest) ? edge : null;
  }
  const edge = (after ?? latest + 1) - maxFeedScan;
  return edge > Math.max(until ?? 0, earliest) ? edge : null;
}

/** Returns the statement that reads a page. With `types`, it reads the index of each type. */
function pageStatement(
  projectId: string,
  filters: FeedFilters,
  { after, until, order, limit }: FeedPage,
  { earliest }: FeedBounds,
  types?: readonly string[],
): { text: string; where: Conditions } {
  const where = feedConditions(projectId, types ? { ...filters, types: undefined } : filters);
  const forwards = order === 'asc';
  if (earliest > 1) where.add('sequence >= ?', earliest);
  if (after !== null) where.add(`sequence ${forwards ? '>' : '<'} ?`, after);
  if (until !== undefined) where.add(`sequence ${forwards ? '<=' : '>='} ?`, until);
  const source = feedSource(where, projectId, filters, {
    from: Math.max(earliest, (forwards ? after : until) ?? 0),
    to: forwards ? until : (after ?? undefined),
  });
  const direction = forwards ? 'ASC' : 'DESC';
  const sorted = source.order.map((column) => `${column} ${direction}`).join(', ');
  const end = `ORDER BY ${sorted} LIMIT ${limit + 1}`;
  const text = types
    ? `SELECT ${columns} FROM ${eventsOfTypes(where, types, end)} ${end}`
    : `SELECT ${columns} FROM ${source.from} WHERE ${where.sql()} ${end}`;
  return { text, where };
}

/** Counts the events that match the filters. */
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
  await rejectExpired(tx, projectId, category, eventId);
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
