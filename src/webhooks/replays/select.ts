import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { wantsType } from '@scriptorium/contracts/events/patterns';
import { matchesFilter, type PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import type { ReplayRange, ReplaySelection } from '../../entities/webhooks/replay.ts';

/** How many deliveries or events one statement reads. */
const pageSize = 1_000;

/** Selects the events that a replay sends again. */
export interface ReplayScope {
  projectId: string;
  endpointId: string;
  selection: ReplaySelection;
  /** When the events were recorded: from `since`, before `until`. */
  since: Date;
  until: Date;
  /** Any of these types; null for all. */
  types: readonly string[] | null;
  /** The endpoint's filter on the body of events. */
  filter: PayloadFilter | null;
  /** Later failures are not sent again: they happened after the replay was requested. */
  createdAt: Date;
}

/** An event to send again. */
export interface FoundEvent {
  eventId: string;
  eventType: string;
  ordinal: number;
}

/**
 * The types that a replay sends: those that its patterns match, limited to the endpoint's types
 * unless the replay selects past deliveries. Null is any.
 */
export function replayedTypes(
  selection: ReplaySelection,
  asked: readonly string[] | null,
  endpointTypes: readonly string[],
): EventTypeName[] | null {
  const all = [...(asked ? [asked] : []), ...(selection === 'failed' ? [] : [endpointTypes])];
  if (all.length === 0) return null;
  return eventTypeNames.filter((type) =>
    all.every((patterns) => wantsType(patterns, { type, category: eventTypes[type].category })),
  );
}

// Identifiers of events sort by creation time, which is close to the time of recording: with a day
// to spare, they limit the partitions to read.
const idsBetween = (id: string) =>
  `${id} >= id_floor('evt', $3::timestamptz - interval '1 day')
   AND ${id} < id_floor('evt', $4::timestamptz + interval '1 day')`;

const inRange = `e.occurred_at >= $3::timestamptz AND e.occurred_at < $4::timestamptz
  AND ($5::text[] IS NULL OR e.type = ANY($5))`;

// Events that are not fanned out yet will be delivered anyway; events about the endpoint are never
// owed to it.
const wanted = `${inRange} AND e.fanned_out_at IS NOT NULL AND e.resource_id <> $2
  AND (e.data ->> 'webhook_id') IS DISTINCT FROM $2`;

const absent = `NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = $2
  AND d.state IN ('succeeded', 'pending'))`;

const settled = `NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = $2
  AND d.state = 'pending')`;

// If an event has several failed deliveries, as after replays, only the first is sent again.
const stillFailed = `d.finished_at <= $6::timestamptz AND NOT EXISTS (
  SELECT FROM delivery o WHERE o.event_id = d.event_id AND o.endpoint_id = d.endpoint_id
    AND (o.state IN ('succeeded', 'pending')
      OR o.failed_as IN ('exhausted', 'skipped') AND o.id < d.id))`;

const countFailed = `
  SELECT 'failed' AS of, count(*) AS n, '' AS after, max(d.id) AS to
  FROM delivery d JOIN event e ON e.id = d.event_id
  WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.failed_as IN ('exhausted', 'skipped')
    AND ${idsBetween('d.event_id')} AND ${inRange} AND ${stillFailed}`;

const pageOfFailed = `
  SELECT d.id AS at, d.event_id, e.type, e.ordinal, ${inRange} AND ${stillFailed} AS matches
  FROM (
    SELECT f.* FROM unnest('{exhausted,skipped}'::text[]) AS s (failed_as), LATERAL (
      SELECT * FROM delivery d
      WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.failed_as = s.failed_as
        AND d.id > $7 AND d.id <= $8 AND ${idsBetween('d.event_id')}
      ORDER BY d.id LIMIT ${pageSize}) f
    ORDER BY f.id LIMIT ${pageSize}) d
  JOIN event e ON e.id = d.event_id ORDER BY d.id`;

const countEvents = (matches: string) => `
  SELECT e.category AS of, count(*) AS n, min(e.sequence) - 1 AS after, max(e.sequence) AS to
  FROM event e
  WHERE e.project_id = $1 AND e.category = ANY($6) AND e.sequence IS NOT NULL
    AND ${idsBetween('e.id')} AND ${matches}
  GROUP BY e.category`;

// Sequences have no gaps: the next thousand events are the next thousand numbers.
const pageOfEvents = (matches: string) => `
  SELECT p.id AS event_id, p.type, p.ordinal, CASE WHEN $9 THEN p.body END AS body
  FROM (
    SELECT e.sequence, e.id, e.type, e.ordinal, e.body FROM event e
    WHERE e.project_id = $1 AND e.category = $6 AND e.sequence > $7 AND e.sequence <= $8
      AND ${idsBetween('e.id')} AND ${matches}) p
  ORDER BY p.sequence`;

const statements = {
  missing: {
    count: countEvents(`${wanted} AND ${absent}`),
    page: pageOfEvents(`${wanted} AND ${absent}`),
  },
  // Pending deliveries are sent anyway.
  all: {
    count: countEvents(`${wanted} AND ${settled}`),
    page: pageOfEvents(`${wanted} AND ${settled}`),
  },
};

/**
 * Counts the events that a replay would send, and sets its bounds, which exclude events recorded or
 * committed later.
 */
export async function countWanted(
  tx: Tx,
  given: ReplayScope,
): Promise<{ matched: number; walk: ReplayRange[] }> {
  const { selection } = given;
  const common = [given.projectId, given.endpointId, given.since, given.until, given.types];
  const rows =
    selection === 'failed'
      ? await prepared<ReplayRange & { n: number }>(tx, countFailed, [...common, given.createdAt])
      : await prepared<ReplayRange & { n: number }>(tx, statements[selection].count, [
          ...common,
          categoriesOf(given.types),
        ]);
  const some = rows.filter(({ n }) => n > 0);
  const walk = some.map(({ n: _, ...stretch }) => stretch as ReplayRange);
  if (given.filter === null || selection === 'failed') {
    return { matched: some.reduce((sum, { n }) => sum + n, 0), walk };
  }
  // Bodies are matched here, as they were when the events were fanned out.
  let matched = 0;
  for (let rest = walk; rest.length > 0; ) {
    const page = await findWanted(tx, given, rest);
    matched += page.found.length;
    rest = page.rest;
  }
  return { matched, walk };
}

/** Reads the next thousand events; returns those to send and what is left to read. */
export async function findWanted(
  tx: Tx,
  given: ReplayScope,
  walk: readonly ReplayRange[],
): Promise<{ found: FoundEvent[]; rest: ReplayRange[] }> {
  const [stretch, ...later] = walk;
  if (!stretch) return { found: [], rest: [] };
  const { found, next } =
    stretch.of === 'failed'
      ? await findFailed(tx, given, stretch)
      : await findEvents(tx, given, stretch);
  return { found, rest: next ? [next, ...later] : later };
}

interface FoundRow {
  event_id: string;
  type: string;
  ordinal: number;
}

const foundIn = ({ event_id, type, ordinal }: FoundRow): FoundEvent => ({
  eventId: event_id,
  eventType: type,
  ordinal,
});

interface Looked {
  found: FoundEvent[];
  /** The rest of the range. */
  next: ReplayRange | null;
}

async function findFailed(
  tx: Tx,
  given: ReplayScope,
  stretch: Extract<ReplayRange, { of: 'failed' }>,
): Promise<Looked> {
  const common = [given.projectId, given.endpointId, given.since, given.until, given.types];
  // Planned for these values: a generic plan would sort everything left to find the next.
  const rows = await query<FoundRow & { at: string; matches: boolean }>(tx, pageOfFailed, [
    ...common,
    given.createdAt,
    stretch.after,
    stretch.to,
  ]);
  const last = rows.length < pageSize ? undefined : rows.at(-1);
  return {
    found: rows.filter(({ matches }) => matches).map(foundIn),
    next: last ? { ...stretch, after: last.at } : null,
  };
}

async function findEvents(
  tx: Tx,
  given: ReplayScope,
  stretch: Extract<ReplayRange, { of: 'domain' | 'audit' }>,
): Promise<Looked> {
  const { selection, filter } = given;
  if (selection === 'failed') throw new Error('Failed deliveries are not selected from events.');
  const end = Math.min(stretch.to, stretch.after + pageSize);
  const rows = await prepared<FoundRow & { body: string | null }>(tx, statements[selection].page, [
    ...[given.projectId, given.endpointId, given.since, given.until, given.types],
    ...[stretch.of, stretch.after, end, filter !== null],
  ]);
  return {
    found: rows
      .filter(({ body }) => filter === null || matchesFilter(filter, JSON.parse(body ?? 'null')))
      .map(foundIn),
    next: end < stretch.to ? { ...stretch, after: end } : null,
  };
}

/** The feeds of events of these types. */
function categoriesOf(types: readonly string[] | null): string[] {
  const known = new Map<string, { category: string }>(Object.entries(eventTypes));
  const found = types?.map((type) => known.get(type)?.category ?? 'domain') ?? ['domain', 'audit'];
  return [...new Set(found)];
}
