import { channelName } from '../../db/channels.ts';
import {
  planByIndex,
  shortIdleTimeoutSql,
  textForRows,
  withVariants,
} from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { sortSettings } from './due-task-queries.ts';
import type {
  DeliverFanOut,
  DeliverNumbered,
  EventBody,
  FanOutEvent,
  NumberedEvent,
} from './webhooks.ts';

/** Maximum number of events that one round numbers. */
export const numberingBatch = 1_000;

/** The largest payload of a notification, in bytes; beyond it, `*` stands for all projects. */
const maxPayloadBytes = 7_000;

/** The result of a round of numbering. */
interface NumberingResult<Dispatch> {
  /** Whether another relay was numbering, so that this one did nothing. */
  elsewhere: boolean;
  events: number;
  /** The numbered events, in order. */
  batch: FanOutEvent[];
  /** Whether events are left to the loops that fan out. */
  left: boolean;
  /** How the deliveries are dispatched. Must not be awaited before the transaction has committed. */
  dispatch: Promise<Dispatch>;
}

/**
 * Numbers a batch of committed events: assigns each the next sequence of its project and category,
 * in the order in which they were recorded, and freezes the body that webhooks send. The deliveries of
 * small batches are created in the same transaction, which saves a second write per event and a delay.
 * Only one process numbers at a time; the others do nothing.
 *
 * It takes two round trips: one reads, the other writes and commits. Statements of one packet pass
 * results on through settings of the transaction, and each reads from a snapshot newer than the locks
 * taken before it.
 * @param deliver creates the deliveries of the batch
 * @param fromId reads only events from this identifier on, to skip older partitions
 */
export async function numberEvents<Dispatch>(
  tx: Tx,
  deliver: DeliverNumbered<Dispatch>,
  fromId = '',
): Promise<NumberingResult<Dispatch>> {
  const lockRows = prepared<{ numbers: string }>(
    tx,
    `SELECT set_config('app.numbers', pg_try_advisory_xact_lock(hashtext('number events'))::text, true) AS numbers,
       ${shortIdleTimeoutSql}, ${sortSettings('off')}`,
    [],
  );
  // Along the index of unnumbered events: without statistics, the planner would underestimate the
  // newest weekly partition and sort all of it.
  const batchRows = readBatch(tx, fromId);
  send(tx, `SELECT ${sortSettings('on')}`, []);
  const [[lock], events, deliverBatch] = await Promise.all([lockRows, batchRows, deliver(tx)]);
  const isLockedByOther = lock!.numbers !== 'true';
  const { owed, left, wanted, dispatch } = deliverBatch(events);
  const bodies = events.length > 0 ? storeBatch(tx, events, owed, left, wanted) : [];
  const dispatching = dispatch(Promise.resolve(bodies));
  // If the transaction fails, this is rejected too, possibly without anyone awaiting it.
  dispatching.catch(() => undefined);
  return {
    elsewhere: isLockedByOther,
    events: events.length,
    batch: events,
    left: left.size > 0,
    dispatch: dispatching,
  };
}

/** Stores the numbers and bodies of a batch, and notifies readers. */
function storeBatch(
  tx: Tx,
  events: readonly FanOutEvent[],
  ...batchState: [
    owed: ReadonlyMap<string, number>,
    left: ReadonlySet<string>,
    wanted: readonly string[],
  ]
): Promise<EventBody[]> {
  const bodies = storeNumbers(tx, events, ...batchState);
  const projectIds = [...new Set(events.map((event) => event.project_id))].join(' ');
  send(tx, `SELECT pg_notify(${channelName('events')}, $1)`, [
    projectIds.length > maxPayloadBytes ? '*' : projectIds,
  ]);
  return bodies;
}

/** Reads the oldest events without a sequence, and sets `app.projects` to their projects. */
function readBatch(tx: Tx, fromId: string): Promise<NumberedEvent[]> {
  return prepared<NumberedEvent>(
    tx,
    `WITH batch AS MATERIALIZED (
       SELECT ${fanOutColumns}, resource_type,
         extract(epoch FROM clock_timestamp() - occurred_at)::float8 AS age_seconds
       FROM event
       WHERE sequence IS NULL AND id >= $1 AND current_setting('app.numbers', true) = 'true'
       ORDER BY ordinal LIMIT ${numberingBatch}
     ), named AS MATERIALIZED (
       SELECT set_config('app.projects', coalesce(string_agg(DISTINCT project_id, ','), ''), true) AS projects
       FROM batch
     )
     SELECT batch.* FROM named, batch WHERE named.projects <> '' ORDER BY batch.ordinal`,
    [fromId],
  );
}

const numberingStatement = withVariants(`
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::integer[], $6::boolean[])
      AS g (id, project_id, category, turn, owed, fanned_out)
  ), counted AS MATERIALIZED (
    SELECT project_id, category, count(*) AS n FROM given GROUP BY project_id, category
  ), counter AS (
    INSERT INTO sequence_counter AS c (project_id, category, last)
    SELECT project_id, category, n FROM counted ORDER BY project_id, category
    ON CONFLICT (project_id, category) DO UPDATE SET last = c.last + excluded.last
    RETURNING c.project_id, c.category, c.last
  ), numbered AS MATERIALIZED (
    SELECT given.id, given.owed, given.fanned_out, counter.last - counted.n + given.turn AS sequence
    FROM given JOIN counted USING (project_id, category) JOIN counter USING (project_id, category)
  ), stored AS (
    UPDATE event e SET
      sequence = n.sequence,
      owed = n.owed,
      fanned_out_at = CASE WHEN n.fanned_out THEN now() END,
      published_at = CASE WHEN e.category = 'audit' THEN now() ELSE e.published_at END,
      body = json_build_object(
        'id', e.id, 'type', e.type,
        'timestamp', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'project_id', e.project_id, 'resource_type', e.resource_type, 'resource_id', e.resource_id,
        'category', e.category, 'sequence', n.sequence,
        'occurred_at', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'actor', json_build_object('type', e.actor_type, 'id', e.actor_id, 'name', e.actor_name),
        'request_id', e.request_id, 'data', e.data)::text
    FROM numbered n
    WHERE e.id = n.id AND e.id = ANY($1) AND e.id BETWEEN $7 AND $8
    RETURNING e.id, e.body
  )
  SELECT id, stored.body FROM stored JOIN unnest($9::text[]) AS wanted (id) USING (id)`);

/**
 * Raises the counters by the size of the batch, and stores the sequences and the bodies.
 * @param bodyIds the events whose bodies are returned
 */
function storeNumbers(
  tx: Tx,
  events: readonly FanOutEvent[],
  owed: ReadonlyMap<string, number>,
  leftForFanOut: ReadonlySet<string>,
  bodyIds: readonly string[],
): Promise<EventBody[]> {
  const lastTurns = new Map<string, number>();
  const turns = events.map((event) => {
    const key = `${event.project_id} ${event.category}`;
    const turn = (lastTurns.get(key) ?? 0) + 1;
    lastTurns.set(key, turn);
    return turn;
  });
  return prepared<EventBody>(tx, textForRows(tx, events.length, numberingStatement), [
    events.map(({ id }) => id),
    events.map((event) => event.project_id),
    events.map((event) => event.category),
    turns,
    events.map(({ id }) => owed.get(id) ?? 0),
    events.map(({ id }) => !leftForFanOut.has(id)),
    ...idRange(events),
    bodyIds,
  ]);
}

/** Maximum number of events that one transaction fans out. */
const fanOutBatch = 500;

/** The columns of a `FanOutEvent`. */
const fanOutColumns = `id, ordinal, project_id, category, type, resource_id,
       data ->> 'webhook_id' AS about, request_id, trace_parent`;

/**
 * Fans out a batch of numbered events that numbering left because they have too many deliveries, or
 * because a filter must read their body. Several processes may do so at the same time; each takes rows
 * that no other has locked.
 * @returns the events that were fanned out, and the endpoints with due deliveries
 */
export async function fanOutEvents(
  tx: Tx,
  deliver: DeliverFanOut,
): Promise<{ events: number; batch: FanOutEvent[]; endpoints: string[] }> {
  planByIndex(tx, 'hash', shortIdleTimeoutSql);
  const events = await prepared<FanOutEvent & EventBody>(
    tx,
    `SELECT ${fanOutColumns}, body
     FROM event
     WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     ORDER BY ordinal LIMIT ${fanOutBatch} FOR UPDATE SKIP LOCKED`,
    [],
  );
  if (events.length === 0) return { events: 0, batch: [], endpoints: [] };
  const { owed, endpoints } = await deliver(tx, events);
  send(
    tx,
    `UPDATE event SET fanned_out_at = now(), owed = event.owed + counted.n
     FROM unnest($1::text[], $2::integer[]) AS counted (id, n)
     WHERE event.id = counted.id AND event.id = ANY($1) AND event.id BETWEEN $3 AND $4`,
    [events.map(({ id }) => id), events.map(({ id }) => owed.get(id) ?? 0), ...idRange(events)],
  );
  return { events: events.length, batch: events, endpoints };
}

/** The smallest and the largest identifier, from which Postgres derives the partitions to read. */
export function idRange(events: readonly { id: string }[]): [least: string, greatest: string] {
  let [least, greatest] = [events[0]!.id, events[0]!.id];
  for (const { id } of events) {
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return [least, greatest];
}
