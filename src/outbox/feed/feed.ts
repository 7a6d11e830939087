import { patternExpression } from '../../contracts/patterns.ts';
import { invalidParameter, Problem } from '../../contracts/problems.ts';
import type { EventRecord } from '../../contracts/wire/events.ts';
import { Conditions } from '../../db/conditions.ts';
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

/** What a reader wants of a feed. */
export interface FeedFilters {
  category: EventCategory;
  published?: boolean | undefined;
  /** Types or patterns, any of them; all when absent. */
  types?: readonly string[] | undefined;
  resourceId?: readonly string[] | undefined;
  resourceType?: readonly string[] | undefined;
  actorType?: readonly string[] | undefined;
  actorId?: readonly string[] | undefined;
  /** For who may read the audit feed: others could find addresses out by asking. */
  address?: readonly string[] | undefined;
  requestId?: readonly string[] | undefined;
  occurredAfter?: string | undefined;
  occurredBefore?: string | undefined;
}

/** Which part of a feed to read. */
interface FeedPage {
  /** The sequence to go on from: what follows it in reading order. Null starts at the beginning. */
  after: number | null;
  /** The last sequence to look at; without it, to the end. */
  until?: number;
  order: 'asc' | 'desc';
  limit: number;
}

/** Where a project's feed begins and ends; `earliest` is one more than `latest` when it is empty. */
export interface FeedBounds {
  earliest: number;
  latest: number;
}

export interface FeedResult {
  events: FeedEvent[];
  hasMore: boolean;
  /**
   * The sequence to go on from. Reading forwards, or up to a sequence, there always is one, and it
   * passes over what the filters left out; reading backwards to the end it is null.
   */
  position: number | null;
  latest: number;
}

/** Where a feed begins and ends just now. */
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
  // What is left of events before the last that was dropped has gaps: nobody reads there.
  return { latest, earliest: Math.max(earliest ?? latest + 1, dropped + 1) };
}

/**
 * Reads events in the order of their sequence. A reader that goes on from each `position` misses
 * nothing: sequences are given after commit, without gaps.
 * @throws Problem 410 `cursor_expired` when what follows `after` is no longer all there, 400 when
 *   `after` is a sequence that was not given yet
 */
export async function readEvents(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  page: FeedPage,
): Promise<FeedResult> {
  for (let bounds = await readBounds(tx, projectId, filters.category); ; ) {
    // The bounds once more, in the packet of the page and behind it: where no transaction is open,
    // events may have been dropped since the first look.
    const [result, since] = await Promise.all([
      readPage(tx, projectId, filters, page, bounds),
      readBounds(tx, projectId, filters.category),
    ]);
    if (since.earliest <= bounds.earliest) return result;
    bounds = since;
  }
}

/**
 * Like `readEvents`, for who has read the bounds in an open transaction: whatever was numbered by then
 * is in the page's snapshot too, and nothing of it can be dropped before the transaction ends.
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

/** How many events the filters leave. */
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

/** An event by its identifier; null while it has no sequence, as if it were not there. */
export async function findEvent(tx: Tx, projectId: string, id: string): Promise<FeedEvent | null> {
  const [row] = await prepared<FeedEvent>(
    tx,
    `SELECT ${columns} FROM event WHERE project_id = $1 AND id = $2 AND sequence IS NOT NULL`,
    [projectId, id],
  );
  return row ?? null;
}

/**
 * The sequence that an event stands at, for a reader that goes on after it.
 * @throws Problem 410 `cursor_expired` for an identifier older than what is kept, 400 for one that
 *   is not in this feed
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
    throw unknownPosition(`'${eventId}' is in the ${event.category} feed, not in this one.`);
  }
  await refuseExpired(tx, projectId, category, eventId);
  throw unknownPosition(`No event '${eventId}'.`);
}

/**
 * Tells an event that was dropped from one that never was, when it is not found.
 * @throws Problem 410 `cursor_expired` for an identifier older than what is kept
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
  // Only a feed whose beginning was dropped can have lost an event. Identifiers sort by time.
  if (earliest > 1 && (!first || eventId < first.id)) throw cursorExpired(earliest);
}

/** An event as the API shows it. Addresses are for those who may read the audit feed. */
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
 * Where events are read that filters want, and in which order: what is not published is found by its
 * stretches of the feed.
 */
function feedSource(
  where: Conditions,
  projectId: string,
  { category, published }: FeedFilters,
  range: { from?: number; to?: number | undefined },
): { from: string; order: string[] } {
  if (published !== false) return { from: 'event', order: ['sequence'] };
  // Events of the audit feed are published as they are numbered: there is nothing to look for.
  if (category === 'audit') where.add('false');
  return { from: unpublishedEvents(where, projectId, range), order: ['stretch', 'sequence'] };
}

/** What a reader wants, as conditions on the table of events. */
export function feedConditions(projectId: string, filters: FeedFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND category = ?', projectId, filters.category);
  where.add('sequence IS NOT NULL');
  if (filters.published !== undefined) {
    where.add(`published_at IS ${filters.published ? 'NOT NULL' : 'NULL'}`);
  }
  if (filters.types) {
    // Not the types we know: a newer version, beside this one while it is rolled out, knows more, and
    // who passes over an event does not come back to it.
    where.add('type ~ ANY(?)', filters.types.map(patternExpression));
  }
  const anyOf = (column: string, values: readonly string[] | undefined): void => {
    // One value as it is: most ask for one, and Postgres knows best what it will find of that.
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
 * Refuses to read what is not there.
 * @throws Problem 410 `cursor_expired` when part of what is asked for is no longer kept, 400 for a
 *   sequence that was not given yet
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

/** What a reader learns whose events retention has dropped; `advice` says how to go on. */
export function cursorExpired(
  earliest: number,
  advice = `go on with after=${earliest - 1}, knowing that some are missed`,
): Problem {
  const detail = `Events before the sequence ${earliest} are no longer kept; ${advice}.`;
  return new Problem('cursor_expired', detail, { extra: { earliest_sequence: earliest } });
}

function unknownPosition(detail: string): Problem {
  return invalidParameter({ parameter: 'after', code: 'unknown_position', detail });
}
