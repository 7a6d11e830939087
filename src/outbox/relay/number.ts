import { channelName } from '../../db/channels.ts';
import { sized, textFor } from '../../db/sized.ts';
import { keySettings, prepared, send, type Tx } from '../../db/transaction.ts';
import {
  byProjectOf,
  countByEvent,
  dueEndpoints,
  type FanOutEvent,
  fanOutColumns,
  type Owed,
  rangeOf,
  type Subscriber,
  storeDeliveries,
  subscriberColumns,
  subscribersOf,
} from './fan-out.ts';
import type { HandedEndpoint } from './hand-over-endpoints.ts';
import {
  type LeasedDelivery,
  lockFreeFlows,
  markLocked,
  type SenderRoom,
  storeAndLease,
} from './lease-ahead.ts';

/** How many events one round numbers at most. */
export const numberingBatch = 1_000;
/** Numbering waits for no fan-out larger than this: the loops beside it take what is left. */
const deliveriesPerBatch = 1_000;

/** What readers are told: the projects with news, or `*` for many, in bytes at most. */
const payloadLimit = 7_000;

/** An event as it is numbered, with what a message about it says. */
export interface NumberedEvent extends FanOutEvent {
  resource_type: string;
  /** For how long it had been there when it was read. */
  age_seconds: number;
}

/** A delivery that this process sends at once, with its event and the body that was frozen. */
export interface SendNow {
  delivery: LeasedDelivery;
  event: NumberedEvent;
  body: string;
}

/** What became of the deliveries that a round made. */
export interface Dispatch {
  /** To be sent by this process: their leases run. */
  now: SendNow[];
  /** Marked as handed over: their hints are to be given. */
  handed: HandedEndpoint[];
  /** Something waits for these, and nobody was told. */
  waiting: string[];
}

/** What a round of numbering has done. */
interface Numbered {
  /** Another relay was numbering just then, and this one did nothing. */
  elsewhere: boolean;
  events: number;
  /** What was numbered, in order. */
  batch: FanOutEvent[];
  /** Events are left to be fanned out. */
  left: boolean;
  /** Who sends what was made. Known once the transaction is committed, and not waited for before. */
  dispatch: Promise<Dispatch>;
}

const nothing: Dispatch = { now: [], handed: [], waiting: [] };

/**
 * Numbers a batch of committed events: gives each the next sequence of its project and category, in
 * the order they were recorded in, and freezes the body that webhooks send. What is small enough is
 * fanned out in the same breath, which spares each event a second write and everybody a wait. Only
 * one process numbers at a time; one that finds another at it does nothing.
 *
 * It takes two round trips: one reads, the other writes and commits. Statements of one packet tell
 * each other what they found by settings of the transaction, and each reads from a snapshot newer than
 * the locks that those before it took.
 * @param by who sends what is made: this process, as far as it has room; workers who are given hints
 *   for the endpoints that are marked here; or whoever looks for it, when nobody is told
 * @param since only events from this identifier on are looked for, in the weeks that have them
 */
export async function numberEvents(
  tx: Tx,
  by: SenderRoom | 'hints' | 'nobody' = 'nobody',
  since = '',
): Promise<Numbered> {
  const sender = typeof by === 'object' ? by : null;
  const locking = prepared<{ numbers: string }>(
    tx,
    `SELECT set_config('app.numbers', pg_try_advisory_xact_lock(hashtext('number events'))::text, true) AS numbers,
       ${keySettings('loop')}, set_config('enable_bitmapscan', 'on', true),
       set_config('enable_sort', 'on', true), set_config('enable_incremental_sort', 'on', true)`,
    [],
  );
  const [[lock], events, subscribers] = await Promise.all([
    locking,
    readBatch(tx, since),
    readSubscribers(tx),
  ]);
  const elsewhere = lock!.numbers !== 'true';
  if (events.length === 0) {
    return { elsewhere, events: 0, batch: [], left: false, dispatch: Promise.resolve(nothing) };
  }
  const owed: Owed[] = [];
  const left = new Set<string>();
  for (const event of events) {
    const wanting = subscribersOf(event, subscribers);
    const tooMany = owed.length + wanting.length > deliveriesPerBatch;
    if (tooMany || wanting.some(({ filter }) => filter !== null)) left.add(event.id);
    else owed.push(...wanting.map((subscriber) => ({ event, subscriber })));
  }
  const candidates = sender ? candidatesOf(owed, sender.room) : [];
  const leasing = candidates.includes(true);
  const endpoints = dueEndpoints(owed);
  const marking = by === 'hints' && endpoints.length > 0;
  const locked = leasing || marking ? lockFreeFlows(tx, endpoints) : null;
  const leased = leasing ? storeAndLease(tx, owed, candidates, sender!.answered) : null;
  if (!leasing) storeDeliveries(tx, owed);
  const handed = marking ? markLocked(tx) : null;
  const wanted = [...new Set(owed.flatMap(({ event }, at) => (candidates[at] ? event.id : [])))];
  const bodies = storeNumbers(tx, events, countByEvent(owed), left, wanted);
  const news = [...new Set(events.map((event) => event.project_id))].join(' ');
  send(
    tx,
    // The release before listens on a channel that everybody knows: there only the bell is rung.
    `SELECT pg_notify(${channelName('events')}, $1), pg_notify('events', '*')`,
    [news.length > payloadLimit ? '*' : news],
  );
  const dispatch = Promise.all([locked, leased, handed, bodies]).then(
    ([free, taken, marked, rows]): Dispatch => {
      const now = sendNow(taken ?? [], events, rows);
      const sent = new Set(
        now.map(({ delivery }) => `${delivery.eventId} ${delivery.endpoint.id}`),
      );
      const waits = dueEndpoints(
        owed.filter(({ event, subscriber }) => !sent.has(`${event.id} ${subscriber.id}`)),
      );
      // Of those that are locked, who is marked already has a hint on its way, or is held.
      const waiting = marking ? waits.filter((id) => !free?.has(id)) : waits;
      return { now, handed: marked ?? [], waiting };
    },
  );
  // Whoever waits for it is told; when the transaction fails nobody does.
  dispatch.catch(() => undefined);
  return { elsewhere, events: events.length, batch: events, left: left.size > 0, dispatch };
}

/** The oldest events without a number, and the setting that names their projects. */
function readBatch(tx: Tx, since: string): Promise<NumberedEvent[]> {
  return prepared<NumberedEvent>(
    tx,
    `WITH batch AS MATERIALIZED (
       SELECT ${fanOutColumns}, resource_type,
         extract(epoch FROM clock_timestamp() - occurred_at)::float8 AS age_seconds
       FROM event
       WHERE sequence IS NULL AND id >= $1 AND current_setting('app.numbers', true) = 'true'
       ORDER BY ordinal LIMIT ${numberingBatch}
     ), told AS MATERIALIZED (
       SELECT set_config('app.projects', coalesce(string_agg(DISTINCT project_id, ','), ''), true) AS projects
       FROM batch
     )
     SELECT batch.* FROM told, batch WHERE told.projects <> '' ORDER BY batch.ordinal`,
    [since],
  );
}

async function readSubscribers(tx: Tx): Promise<Map<string, Subscriber[]>> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${subscriberColumns} FROM webhook_endpoint
     WHERE project_id = ANY(string_to_array(current_setting('app.projects', true), ','))
     ORDER BY id`,
    [],
  );
  return byProjectOf(rows);
}

/**
 * Which deliveries this process would send: of each endpoint no more than it ever has under way, and
 * no more in all than there is room for. Which of these it may send is for `storeAndLease` to say.
 */
function candidatesOf(owed: readonly Owed[], room: number): boolean[] {
  const chosen = new Map<string, number>();
  let all = 0;
  return owed.map(({ subscriber: { id, state, max_in_flight: most } }) => {
    const before = chosen.get(id) ?? 0;
    if (state !== 'enabled' || before >= most || all >= room) return false;
    chosen.set(id, before + 1);
    all += 1;
    return true;
  });
}

function sendNow(
  leased: readonly LeasedDelivery[],
  events: readonly NumberedEvent[],
  bodies: readonly { id: string; body: string }[],
): SendNow[] {
  if (leased.length === 0) return [];
  const byId = new Map(events.map((event) => [event.id, event]));
  const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]));
  return leased.map((delivery) => ({
    delivery,
    event: byId.get(delivery.eventId)!,
    body: bodyOf.get(delivery.eventId)!,
  }));
}

const numbering = sized(`
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
        'actor', json_build_object('type', e.actor_type, 'id', e.actor_id),
        'request_id', e.request_id, 'data', e.data)::text
    FROM numbered n
    WHERE e.id = n.id AND e.id = ANY($1) AND e.id BETWEEN $7 AND $8
    RETURNING e.id, e.body
  )
  SELECT id, stored.body FROM stored JOIN unnest($9::text[]) AS wanted (id) USING (id)`);

/**
 * Raises the counters by what the batch holds, and stores the numbers and the bodies.
 * @param wanted whose bodies are given back
 */
function storeNumbers(
  tx: Tx,
  events: readonly FanOutEvent[],
  owed: ReadonlyMap<string, number>,
  left: ReadonlySet<string>,
  wanted: readonly string[],
): Promise<{ id: string; body: string }[]> {
  const before = new Map<string, number>();
  const turns = events.map((event) => {
    const key = `${event.project_id} ${event.category}`;
    const turn = (before.get(key) ?? 0) + 1;
    before.set(key, turn);
    return turn;
  });
  return prepared<{ id: string; body: string }>(tx, textFor(tx, events.length, numbering), [
    events.map(({ id }) => id),
    events.map((event) => event.project_id),
    events.map((event) => event.category),
    turns,
    events.map(({ id }) => owed.get(id) ?? 0),
    events.map(({ id }) => !left.has(id)),
    ...rangeOf(events),
    wanted,
  ]);
}
