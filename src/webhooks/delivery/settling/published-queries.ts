import { send, type Tx } from '../../../db/transaction.ts';
import { idRange } from '../../../outbox/relay/number.ts';

/**
 * An event counts as owed to an endpoint while a delivery of it to that endpoint is not cancelled,
 * and as received once one of these has succeeded; a manual redelivery keeps the former state until
 * it ends. `event.owed` and `event.delivered` count endpoints this way: when every endpoint that is
 * owed an event has received it, the event is published permanently.
 *
 * Changing these counts requires a lock on the event. Everything except the success of an original
 * delivery is counted again under the lock, which includes earlier changes of other transactions;
 * those transactions count later changes.
 */

/** Maximum number of events that a statement counts. */
const batchSize = 5_000;

/** Locks all events that a transaction will count at once, to avoid deadlocks. */
export function lockEvents(tx: Tx, eventIds: readonly string[]): void {
  if (eventIds.length === 0) return;
  send(
    tx,
    `SELECT count(*) FROM (
       SELECT FROM event WHERE id = ANY($1) AND id BETWEEN $2 AND $3 ORDER BY id FOR UPDATE) locked`,
    [eventIds, ...idRange(eventIds.map((id) => ({ id })))],
  );
}

/** Counts first successes of deliveries that nothing else has settled on their events. */
export function countDelivered(tx: Tx, eventIds: readonly string[]): void {
  if (eventIds.length === 0) return;
  send(tx, `SELECT ${inIndexOrder}`, []);
  addDelivered(tx, eventIds);
}

/**
 * Makes a statement process rows found by key in the order of the keys, not of their location. A
 * column for a statement that changes settings.
 */
export const inIndexOrder = `set_config('enable_bitmapscan', 'off', true)`;

/**
 * Like `countDelivered`, in a transaction that reads in the order of indexes. Events are changed in
 * that order, so that two workers never deadlock: locking a row before changing it would write it
 * twice.
 */
export function addDelivered(tx: Tx, eventIds: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const id of eventIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const ids = [...counts.keys()];
  send(
    tx,
    `UPDATE event SET delivered = delivered + ($4::integer[])[array_position($1::text[], id)],
       published_at = CASE WHEN delivered + ($4::integer[])[array_position($1::text[], id)] >= owed
         THEN coalesce(published_at, now()) ELSE published_at END
     WHERE id = ANY($1) AND id BETWEEN $2 AND $3`,
    [ids, ...idRange(ids.map((id) => ({ id }))), [...counts.values()]],
  );
}

/** Locks events, and counts again which endpoints are owed them and which have received them. */
export function recountEvents(tx: Tx, eventIds: readonly string[]): void {
  const ids = [...new Set(eventIds)].sort();
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    lockEvents(tx, batch);
    send(
      tx,
      `WITH counted AS (
         -- One event after the other, by index, whatever the planner assumes about the tables'
         -- sizes.
         SELECT given.id, c.owed, c.delivered FROM unnest($1::text[]) AS given (id), LATERAL (
           SELECT count(DISTINCT d.endpoint_id) FILTER (WHERE d.so <> 'cancelled') AS owed,
             count(DISTINCT d.endpoint_id) FILTER (WHERE d.so = 'succeeded') AS delivered
           FROM (
             SELECT d.endpoint_id, coalesce((
               SELECT due.resume_state FROM due_delivery due WHERE due.id = d.id), d.state) AS so
             FROM delivery d WHERE d.event_id = given.id AND d.event_id BETWEEN $2 AND $3) d) c
       )
       UPDATE event SET owed = counted.owed, delivered = counted.delivered,
         published_at = CASE WHEN counted.delivered > 0 AND counted.delivered >= counted.owed
           THEN coalesce(event.published_at, now()) ELSE event.published_at END
       FROM counted WHERE event.id = counted.id AND event.id = ANY($1) AND event.id BETWEEN $2 AND $3
         AND (event.owed, event.delivered) IS DISTINCT FROM (counted.owed, counted.delivered)`,
      [batch, batch[0], batch.at(-1)],
    );
  }
}
