import { patternExpression } from '../../contracts/events/patterns.ts';
import { invalidParameter, Problem } from '../../contracts/problems.ts';
import type { EventRecord } from '../../contracts/wire/events.ts';
import { Conditions } from '../../db/statements/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { unpublishedEvents } from './unpublished.ts';

export type EventCategory = 'domain' | 'audit';

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
  address: string | null;
  request_id: string | null;
  published_at: Date | null;
}

const columns = `id, type, project_id, resource_id, occurred_at, data, sequence, resource_type, category,
  actor_type, actor_id, address, request_id, published_at`;

/** The filters of a reader. */
export interface FeedFilters {
  category: EventCategory;
  published?: boolean | undefined;
  /** Any of these types or patterns; all types when absent. */
  types?: readonly string[] | undefined;
  resourceId?: readonly string[] | undefined;
  resourceType?: readonly string[] | undefined;
  actorType?: readonly string[] | undefined;
  actorId?: readonly string[] | undefined;
  /** Only for readers of the audit feed: others could guess addresses by filtering. */
  address?: readonly string[] | undefined;
  requestId?: readonly string[] | undefined;
  occurredAfter?: string | undefined;
  occurredBefore?: string | undefined;
}

/** Which part of a feed to read. */
interface FeedPage {
  /** The sequence to continue after, in reading order. Null starts at the beginning. */
  after: number | null;
  /** The last sequence to read; without it, to the end. */
  until?: number;
  order: 'asc' | 'desc';
  limit: number;
}

/** The bounds of a project's feed; `earliest` is one more than `latest` when it is empty. */
export interface FeedBounds {
  earliest: number;
  latest: number;
}

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

/** The current bounds of a feed. */
export async function readBounds(
  tx: Tx,
  projectId: string,
  category: EventCategory,
): Promise<FeedBounds> {
  const [row] = await prepared<{ earliest: number | null; latest: number; dropped: number }>(
    tx,
    `SELECT
       (SELECT min(sequence) FROM event
        WHERE project_id = $1 AND category = $2 AND sequence IS NOT NULL) AS earliest,
       coalesce(c.last, 0) AS latest, coalesce(c.dropped, 0) AS dropped
     FROM (SELECT) one LEFT JOIN sequence_counter c ON c.project_id = $1 AND c.category = $2`,
    [projectId, category],
  );
  const { earliest, latest, dropped } = row!;
  // Events before the last dropped one have gaps and are not read.
  return { latest, earliest: Math.max(earliest ?? latest + 1, dropped + 1) };
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

/**
 * Distinguishes an event that was dropped from one that never existed.
 * @throws Problem 410 `cursor_expired` for an identifier older than retention
 */
export async function refuseExpired(
  tx: Tx,
  projectId: string,
  category: EventCategory,
  eventId: string,
): Promise<void> {
  const { earliest } = await readBounds(tx, projectId, category);
  const [first] = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE project_id = $1 AND category = $2 AND sequence IS NOT NULL
     ORDER BY sequence LIMIT 1`,
    [projectId, category],
  );
  // Only a feed whose start was dropped can have lost an event. Identifiers sort by time.
  if (earliest > 1 && (!first || eventId < first.id)) throw cursorExpired(earliest);
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
    actor: { type: event.actor_type, id: event.actor_id },
    address: options.withAddress ? event.address : null,
    request_id: event.request_id,
    published: event.published_at !== null,
    published_at: event.published_at?.toISOString() ?? null,
  };
}

/**
 * The source and order of events that match the filters. Unpublished events are found through the
 * stretches of the feed.
 */
function feedSource(
  where: Conditions,
  projectId: string,
  { category, published }: FeedFilters,
  range: { from?: number; to?: number | undefined },
): { from: string; order: string[] } {
  if (published !== false) return { from: 'event', order: ['sequence'] };
  // Audit events are published as they are numbered, so none are unpublished.
  if (category === 'audit') where.add('false');
  return { from: unpublishedEvents(where, projectId, range), order: ['stretch', 'sequence'] };
}

/** Filters as conditions on the table of events. */
export function feedConditions(projectId: string, filters: FeedFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND category = ?', projectId, filters.category);
  where.add('sequence IS NOT NULL');
  if (filters.published !== undefined) {
    where.add(`published_at IS ${filters.published ? 'NOT NULL' : 'NULL'}`);
  }
  if (filters.types) {
    // Not limited to the types this release knows: a newer release beside it may record others, and
    // a reader that passes over an event never returns to it.
    where.add('type ~ ANY(?)', filters.types.map(patternExpression));
  }
  const anyOf = (column: string, values: readonly string[] | undefined): void => {
    // A single value is compared directly: it is the most frequent case, and Postgres estimates it
    // best.
    if (values?.length === 1) where.add(`${column} = ?`, values[0]);
    else if (values) where.add(`${column} = ANY(?::text[])`, values);
  };
  anyOf('resource_id', filters.resourceId);
  anyOf('resource_type', filters.resourceType);
  anyOf('actor_type', filters.actorType);
  anyOf('actor_id', filters.actorId);
  anyOf('address', filters.address);
  anyOf('request_id', filters.requestId);
  if (filters.occurredAfter !== undefined) where.add('occurred_at > ?', filters.occurredAfter);
  if (filters.occurredBefore !== undefined) where.add('occurred_at < ?', filters.occurredBefore);
  return where;
}

/**
 * Rejects a range outside of the feed.
 * @throws Problem 410 `cursor_expired` when some of it is no longer retained, 400 for a sequence
 *   that has not been assigned yet
 */
export function refuseGone(
  page: Pick<FeedPage, 'after' | 'until' | 'order'>,
  bounds: FeedBounds,
): void {
  const { after, until, order } = page;
  if (order === 'asc' && after !== null) {
    if (after > bounds.latest) {
      throw unknownPosition(`The newest event has the sequence ${bounds.latest}.`);
    }
    if (after < bounds.earliest - 1) throw cursorExpired(bounds.earliest);
  }
  if (order === 'desc' && until !== undefined && until < bounds.earliest) {
    throw cursorExpired(bounds.earliest);
  }
}

/** The problem for a reader whose events retention has dropped; `advice` says how to continue. */
export function cursorExpired(
  earliest: number,
  advice = `continue with after=${earliest - 1} without the missing events`,
): Problem {
  const detail = `Events before sequence ${earliest} are no longer retained; ${advice}.`;
  return new Problem('cursor_expired', detail, { extra: { earliest_sequence: earliest } });
}

function unknownPosition(detail: string): Problem {
  return invalidParameter({ parameter: 'after', code: 'unknown_position', detail });
}
