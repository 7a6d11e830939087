import { newId } from '../../contracts/ids.ts';
import { wantsType } from '../../contracts/patterns.ts';
import { matchesFilter, type PayloadFilter } from '../../contracts/payload-filter.ts';
import { byKey, prepared, send, type Tx } from '../../db/transaction.ts';

/** How many events one transaction fans out. */
export const batchSize = 500;

/** What has to be known of an event to say who wants it. */
export interface FanOutEvent {
  id: string;
  ordinal: number;
  project_id: string;
  category: 'domain' | 'audit';
  type: string;
  resource_id: string;
  /** The endpoint that an event about a delivery names in its data. */
  about: string | null;
  request_id: string | null;
  trace_parent: string | null;
}

/** The columns of it. */
export const fanOutColumns = `id, ordinal, project_id, category, type, resource_id,
       data ->> 'webhook_id' AS about, request_id, trace_parent`;

/** An endpoint, as far as it says which events it wants. */
export interface Subscriber {
  id: string;
  project_id: string;
  event_types: string[];
  state: 'enabled' | 'paused' | 'disabled';
  filter: PayloadFilter | null;
  max_in_flight: number;
}

/** The columns of it. */
export const subscriberColumns = 'id, project_id, event_types, state, filter, max_in_flight';

/** An event, and an endpoint that is owed it. */
export interface Owed {
  event: FanOutEvent;
  subscriber: Subscriber;
}

/** The endpoints of some projects. */
async function readSubscribers(
  tx: Tx,
  projectIds: readonly string[],
): Promise<Map<string, Subscriber[]>> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${subscriberColumns} FROM webhook_endpoint WHERE project_id = ANY($1) ORDER BY id`,
    [projectIds],
  );
  return byProjectOf(rows);
}

/** Endpoints by their project. */
export function byProjectOf(rows: readonly Subscriber[]): Map<string, Subscriber[]> {
  const byProject = new Map<string, Subscriber[]>();
  for (const row of rows) {
    const found = byProject.get(row.project_id);
    if (found) found.push(row);
    else byProject.set(row.project_id, [row]);
  }
  return byProject;
}

/** Which endpoints want an event by its type; what it holds is not looked at. */
export function subscribersOf(
  event: FanOutEvent,
  subscribers: ReadonlyMap<string, Subscriber[]>,
): Subscriber[] {
  return (subscribers.get(event.project_id) ?? []).filter(
    ({ id, event_types }) =>
      wantsType(event_types, event) &&
      // What is said about an endpoint is never owed to that endpoint.
      id !== event.resource_id &&
      id !== event.about,
  );
}

/**
 * Turns a batch of numbered events into deliveries, one for each endpoint that wants the event:
 * those that were too many, or need too close a look, to be fanned out where they were numbered.
 * Several processes may do so at once: each takes rows that no other holds.
 * @returns the events that were fanned out, and the endpoints that have something due
 */
export async function fanOutEvents(
  tx: Tx,
): Promise<{ events: number; batch: FanOutEvent[]; endpoints: string[] }> {
  byKey(tx, 'hash');
  const events = await prepared<FanOutEvent & { body: string }>(
    tx,
    `SELECT ${fanOutColumns}, body
     FROM event
     WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     ORDER BY ordinal LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
    [],
  );
  if (events.length === 0) return { events: 0, batch: [], endpoints: [] };
  const projects = new Set(events.map((event) => event.project_id));
  const subscribers = await readSubscribers(tx, [...projects]);
  const owed = events.flatMap((event): Owed[] => {
    const body: unknown = JSON.parse(event.body);
    return subscribersOf(event, subscribers)
      .filter(({ filter }) => filter === null || matchesFilter(filter, body))
      .map((subscriber) => ({ event, subscriber }));
  });
  storeDeliveries(tx, owed);
  const counts = countByEvent(owed);
  send(
    tx,
    `UPDATE event SET fanned_out_at = now(), owed = event.owed + counted.n
     FROM unnest($1::text[], $2::integer[]) AS counted (id, n)
     WHERE event.id = counted.id AND event.id = ANY($1) AND event.id BETWEEN $3 AND $4`,
    [events.map(({ id }) => id), events.map(({ id }) => counts.get(id) ?? 0), ...rangeOf(events)],
  );
  return { events: events.length, batch: events, endpoints: dueEndpoints(owed) };
}

/**
 * Makes the deliveries that are owed. A disabled endpoint gets a `skipped` row with the reason, so
 * that nothing owed is invisible.
 */
export function storeDeliveries(tx: Tx, owed: readonly Owed[]): void {
  if (owed.length === 0) return;
  send(
    tx,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::boolean[])
         AS d (id, event_id, project_id, endpoint_id, ordinal, skipped)
     ), made AS (
       INSERT INTO delivery (id, event_id, project_id, endpoint_id, state, reason, finished_at)
       SELECT id, event_id, project_id, endpoint_id, CASE WHEN skipped THEN 'skipped' ELSE 'pending' END,
         CASE WHEN skipped THEN 'endpoint_disabled' END, CASE WHEN skipped THEN now() END
       FROM given
     )
     -- Due from now, not from the start of the transaction: that may lie before the numbers of another relay.
     INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal, due_at)
     SELECT id, event_id, project_id, endpoint_id, ordinal, statement_timestamp() FROM given WHERE NOT skipped`,
    [
      owed.map(() => newId('delivery')),
      owed.map(({ event }) => event.id),
      owed.map(({ event }) => event.project_id),
      owed.map(({ subscriber }) => subscriber.id),
      owed.map(({ event }) => event.ordinal),
      owed.map(({ subscriber }) => subscriber.state === 'disabled'),
    ],
  );
}

/** How many deliveries each event is owed. */
export function countByEvent(owed: readonly Owed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of owed) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  return counts;
}

/** The endpoints that something became due for. */
export function dueEndpoints(owed: readonly Owed[]): string[] {
  const enabled = owed.filter(({ subscriber }) => subscriber.state === 'enabled');
  return [...new Set(enabled.map(({ subscriber }) => subscriber.id))].sort();
}

/** The least and the greatest identifier: which of the partitions by time a statement has to look at. */
export function rangeOf(events: readonly { id: string }[]): [least: string, greatest: string] {
  let [least, greatest] = [events[0]!.id, events[0]!.id];
  for (const { id } of events) {
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return [least, greatest];
}
