import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { wantsType } from '@scriptorium/contracts/events/patterns';
import { matchesFilter, type PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import type { ReplayRange, ReplaySelection } from '../../entities/webhooks/replay.ts';

/** Maximum number of deliveries or events that a statement reads. */
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
 * unless the replay selects past deliveries. Null for all types.
 */
export function replayedTypes(
  selection: ReplaySelection,
  requested: readonly string[] | null,
  endpointTypes: readonly string[],
): EventTypeName[] | null {
  const all = [
    ...(requested ? [requested] : []),
    ...(selection === 'failed' ? [] : [endpointTypes]),
  ];
  if (all.length === 0) return null;
  return eventTypeNames.filter((type) =>
    all.every((patterns) => wantsType(patterns, { type, category: eventTypes[type].category })),
  );
}

// Identifiers of events sort by creation time, which is close to the time of recording: with a day
// to spare, they limit the partitions to read.
const idRangeSql = (id: string) =>
  `${id} >= id_floor('evt', $3::timestamptz - interval '1 day')
   AND ${id} < id_floor('evt', $4::timestamptz + interval '1 day')`;

const inRangeSql = `e.occurred_at >= $3::timestamptz AND e.occurred_at < $4::timestamptz
  AND ($5::text[] IS NULL OR e.type = ANY($5))`;

// Events that are not fanned out yet will be delivered anyway; events about the endpoint are never
// owed to it.
const wantedSql = `${inRangeSql} AND e.fanned_out_at IS NOT NULL AND e.resource_id <> $2
  AND (e.data ->> 'webhook_id') IS DISTINCT FROM $2`;

const notReceivedSql = `NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = $2
  AND d.state IN ('succeeded', 'pending'))`;

const notPendingSql = `NOT EXISTS (SELECT FROM delivery d WHERE d.event_id = e.id AND d.endpoint_id = $2
  AND d.state = 'pending')`;

// If an event has several failed deliveries, for example after replays, only the first is sent again.
const stillFailedSql = `d.finished_at <= $6::timestamptz AND NOT EXISTS (
  SELECT FROM delivery o WHERE o.event_id = d.event_id AND o.endpoint_id = d.endpoint_id
    AND (o.state IN ('succeeded', 'pending')
      OR o.failed_as IN ('exhausted', 'skipped') AND o.id < d.id))`;

const countFailedSql = `
  SELECT 'failed' AS of, count(*) AS n, '' AS after, max(d.id) AS to
  FROM delivery d JOIN event e ON e.id = d.event_id
  WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.failed_as IN ('exhausted', 'skipped')
    AND ${idRangeSql('d.event_id')} AND ${inRangeSql} AND ${stillFailedSql}`;

const failedPageSql = `
  SELECT d.id AS at, d.event_id, e.type, e.ordinal, ${inRangeSql} AND ${stillFailedSql} AS matches
  FROM (
    SELECT f.* FROM unnest('{exhausted,skipped}'::text[]) AS s (failed_as), LATERAL (
      SELECT * FROM delivery d
      WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.failed_as = s.failed_as
        AND d.id > $7 AND d.id <= $8 AND ${idRangeSql('d.event_id')}
      ORDER BY d.id LIMIT ${pageSize}) f
    ORDER BY f.id LIMIT ${pageSize}) d
  JOIN event e ON e.id = d.event_id ORDER BY d.id`;

const countEventsSql = (matches: string) => `
  SELECT e.category AS of, count(*) AS n, min(e.sequence) - 1 AS after, max(e.sequence) AS to
  FROM event e
  WHERE e.project_id = $1 AND e.category = ANY($6) AND e.sequence IS NOT NULL
    AND ${idRangeSql('e.id')} AND ${matches}
  GROUP BY e.category`;

// Sequences have no gaps: the next thousand events are the next thousand numbers.
const eventsPageSql = (matches: string) => `
  SELECT p.id AS event_id, p.type, p.ordinal, CASE WHEN $9 THEN p.body END AS body
  FROM (
    SELECT e.sequence, e.id, e.type, e.ordinal, e.body FROM event e
    WHERE e.project_id = $1 AND e.category = $6 AND e.sequence > $7 AND e.sequence <= $8
      AND ${idRangeSql('e.id')} AND ${matches}) p
  ORDER BY p.sequence`;

const statements = {
  missing: {
    count: countEventsSql(`${wantedSql} AND ${notReceivedSql}`),
    page: eventsPageSql(`${wantedSql} AND ${notReceivedSql}`),
  },
  // Pending deliveries are sent anyway.
  all: {
    count: countEventsSql(`${wantedSql} AND ${notPendingSql}`),
    page: eventsPageSql(`${wantedSql} AND ${notPendingSql}`),
  },
};

/**
 * Counts the events that a replay would send, and determines its ranges, which exclude events recorded
 * or committed later.
 */
export async function countMatches(
  tx: Tx,
  scope: ReplayScope,
): Promise<{ matched: number; walk: ReplayRange[] }> {
  const { selection } = scope;
  const common = [scope.projectId, scope.endpointId, scope.since, scope.until, scope.types];
  const rows =
    selection === 'failed'
      ? await prepared<ReplayRange & { n: number }>(tx, countFailedSql, [
          ...common,
          scope.createdAt,
        ])
      : await prepared<ReplayRange & { n: number }>(tx, statements[selection].count, [
          ...common,
          categoriesOf(scope.types),
        ]);
  const nonEmpty = rows.filter(({ n }) => n > 0);
  const walk = nonEmpty.map(({ n: _, ...range }) => range as ReplayRange);
  if (scope.filter === null || selection === 'failed') {
    return { matched: nonEmpty.reduce((sum, { n }) => sum + n, 0), walk };
  }
  // Bodies are matched here, as they were when the events were fanned out.
  let matched = 0;
  for (let remaining = walk; remaining.length > 0; ) {
    const page = await readMatches(tx, scope, remaining);
    matched += page.found.length;
    remaining = page.remaining;
  }
  return { matched, walk };
}

/** Reads the next thousand events; returns those to send and the remaining ranges. */
export async function readMatches(
  tx: Tx,
  scope: ReplayScope,
  walk: readonly ReplayRange[],
): Promise<{ found: FoundEvent[]; remaining: ReplayRange[] }> {
  const [range, ...laterRanges] = walk;
  if (!range) return { found: [], remaining: [] };
  const { found, next } =
    range.of === 'failed' ? await findFailed(tx, scope, range) : await findEvents(tx, scope, range);
  return { found, remaining: next ? [next, ...laterRanges] : laterRanges };
}

interface FoundRow {
  event_id: string;
  type: string;
  ordinal: number;
}

const toFoundEvent = ({ event_id, type, ordinal }: FoundRow): FoundEvent => ({
  eventId: event_id,
  eventType: type,
  ordinal,
});

interface RangeResult {
  found: FoundEvent[];
  /** The unread part of the range; null at its end. */
  next: ReplayRange | null;
}

async function findFailed(
  tx: Tx,
  scope: ReplayScope,
  range: Extract<ReplayRange, { of: 'failed' }>,
): Promise<RangeResult> {
  const common = [scope.projectId, scope.endpointId, scope.since, scope.until, scope.types];
  // Planned for these values: a generic plan would sort everything left to find the next.
  const rows = await query<FoundRow & { at: string; matches: boolean }>(tx, failedPageSql, [
    ...common,
    scope.createdAt,
    range.after,
    range.to,
  ]);
  const last = rows.length < pageSize ? undefined : rows.at(-1);
  return {
    found: rows.filter(({ matches }) => matches).map(toFoundEvent),
    next: last ? { ...range, after: last.at } : null,
  };
}

async function findEvents(
  tx: Tx,
  scope: ReplayScope,
  range: Extract<ReplayRange, { of: 'domain' | 'audit' }>,
): Promise<RangeResult> {
  const { selection, filter } = scope;
  if (selection === 'failed') throw new Error('Failed deliveries are not selected from events.');
  const end = Math.min(range.to, range.after + pageSize);
  const rows = await prepared<FoundRow & { body: string | null }>(tx, statements[selection].page, [
    scope.projectId,
    scope.endpointId,
    scope.since,
    scope.until,
    scope.types,
    range.of,
    range.after,
    end,
    filter !== null,
  ]);
  return {
    found: rows
      .filter(({ body }) => filter === null || matchesFilter(filter, JSON.parse(body ?? 'null')))
      .map(toFoundEvent),
    next: end < range.to ? { ...range, after: end } : null,
  };
}

/** The feeds of events of these types. */
function categoriesOf(types: readonly string[] | null): string[] {
  const known = new Map<string, { category: string }>(Object.entries(eventTypes));
  const found = types?.map((type) => known.get(type)?.category ?? 'domain') ?? ['domain', 'audit'];
  return [...new Set(found)];
}
