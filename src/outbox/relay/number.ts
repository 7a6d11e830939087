import { channelName } from '../../db/channels.ts';
import { byKey, prepared, send, type Tx } from '../../db/transaction.ts';
import {
  countByEvent,
  dueEndpoints,
  type FanOutEvent,
  fanOutColumns,
  type Owed,
  rangeOf,
  readSubscribers,
  storeDeliveries,
  subscribersOf,
} from './fan-out.ts';

/** How many events one round numbers at most. */
export const numberingBatch = 1_000;
/** Numbering waits for no fan-out larger than this: the loops beside it take what is left. */
const deliveriesPerBatch = 1_000;

/** What readers are told: the projects with news, or `*` for many, in bytes at most. */
const payloadLimit = 7_000;

/** What a round of numbering has done. */
interface Numbered {
  /** Another relay was numbering just then, and this one did nothing. */
  elsewhere: boolean;
  events: number;
  /** What was numbered, in order. */
  batch: FanOutEvent[];
  /** Endpoints that something became due for. */
  endpoints: string[];
  /** Events are left to be fanned out. */
  left: boolean;
}

interface Counter {
  project_id: string;
  category: string;
  last: number;
}

/**
 * Numbers a batch of committed events: gives each the next sequence of its project and category, in
 * the order they were recorded in, and freezes the body that webhooks send. What is small enough is
 * fanned out in the same breath, which spares each event a second write and everybody a wait. Only
 * one process numbers at a time; one that finds another at it does nothing. The lock is taken in a
 * statement of its own, so that the batch is read from a snapshot newer than the lock; a setting of
 * the transaction says whether it was had, so that both travel together.
 */
export async function numberEvents(tx: Tx): Promise<Numbered> {
  byKey(tx, 'hash');
  const locking = prepared<{ numbers: string }>(
    tx,
    `SELECT set_config('app.numbers', pg_try_advisory_xact_lock(hashtext('number events'))::text, true) AS numbers`,
    [],
  );
  const reading = prepared<FanOutEvent>(
    tx,
    `SELECT ${fanOutColumns}
     FROM event
     WHERE sequence IS NULL AND current_setting('app.numbers', true) = 'true'
     ORDER BY ordinal LIMIT ${numberingBatch}`,
    [],
  );
  const [[lock], events] = await Promise.all([locking, reading]);
  const elsewhere = lock!.numbers !== 'true';
  if (events.length === 0) {
    return { elsewhere, events: 0, batch: [], endpoints: [], left: false };
  }
  const projects = [...new Set(events.map((event) => event.project_id))];
  const [counters, subscribers] = await Promise.all([
    countUp(tx, events),
    readSubscribers(tx, projects),
  ]);
  const owed: Owed[] = [];
  const left = new Set<string>();
  for (const event of events) {
    const wanting = subscribersOf(event, subscribers);
    const tooMany = owed.length + wanting.length > deliveriesPerBatch;
    if (tooMany || wanting.some(({ filter }) => filter !== null)) left.add(event.id);
    else owed.push(...wanting.map((subscriber) => ({ event, subscriber })));
  }
  storeNumbers(tx, events, counters, countByEvent(owed), left);
  storeDeliveries(tx, owed);
  const news = projects.join(' ');
  send(
    tx,
    // The release before listens on a channel that everybody knows: there only the bell is rung.
    `SELECT pg_notify(${channelName('events')}, $1), pg_notify('events', '*')`,
    [news.length > payloadLimit ? '*' : news],
  );
  return {
    elsewhere,
    events: events.length,
    batch: events,
    endpoints: dueEndpoints(owed),
    left: left.size > 0,
  };
}

/** Raises the counters by what the batch holds; gives back where each one stood before. */
async function countUp(tx: Tx, events: readonly FanOutEvent[]): Promise<Counter[]> {
  return prepared<Counter>(
    tx,
    `INSERT INTO sequence_counter AS c (project_id, category, last)
     SELECT project_id, category, count(*) AS n FROM unnest($1::text[], $2::text[]) AS e (project_id, category)
     GROUP BY project_id, category ORDER BY project_id, category
     ON CONFLICT (project_id, category) DO UPDATE SET last = c.last + excluded.last
     RETURNING c.project_id, c.category, c.last`,
    [events.map((event) => event.project_id), events.map((event) => event.category)],
  );
}

function storeNumbers(
  tx: Tx,
  events: readonly FanOutEvent[],
  counters: readonly Counter[],
  owed: ReadonlyMap<string, number>,
  left: ReadonlySet<string>,
): void {
  const last = new Map(
    counters.map(({ project_id, category, last }) => [`${project_id} ${category}`, last]),
  );
  // From the end, so that the counters' new values are those of the last events.
  const sequences = events
    .toReversed()
    .map((event) => {
      const key = `${event.project_id} ${event.category}`;
      const sequence = last.get(key)!;
      last.set(key, sequence - 1);
      return sequence;
    })
    .toReversed();
  send(
    tx,
    `UPDATE event e SET
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
     FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::boolean[]) AS n (id, sequence, owed, fanned_out)
     WHERE e.id = n.id AND e.id = ANY($1) AND e.id BETWEEN $5 AND $6`,
    [
      events.map(({ id }) => id),
      sequences,
      events.map(({ id }) => owed.get(id) ?? 0),
      events.map(({ id }) => !left.has(id)),
      ...rangeOf(events),
    ],
  );
}
