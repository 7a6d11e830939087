import { send, type Tx } from '../../../db/transaction.ts';
import { rangeOf } from '../../../outbox/relay/fan-out.ts';

/**
 * An event is owed to an endpoint while there is a delivery of it to that endpoint that is not
 * cancelled, and has reached it when one of these has succeeded; one that is sent again by hand is
 * meanwhile what it was before. `event.owed` and `event.delivered` count endpoints so: when all that
 * are owed an event have got it, it is published, for good.
 *
 * Whoever changes these counts locks the event. Whoever does more than to let an original delivery
 * succeed counts anew once the lock is held: what others have changed by then is in sight, and what
 * they change after it they count themselves.
 */

/** How many events are counted at a time. */
const chunk = 5_000;

/** Locks events, all that a transaction will count on at once, so that nobody waits in a circle. */
export function lockEvents(tx: Tx, eventIds: readonly string[]): void {
  if (eventIds.length === 0) return;
  send(
    tx,
    `SELECT count(*) FROM (
       SELECT FROM event WHERE id = ANY($1) AND id BETWEEN $2 AND $3 ORDER BY id FOR UPDATE) locked`,
    [eventIds, ...rangeOf(eventIds.map((id) => ({ id })))],
  );
}

/** Counts first successes on their events: those of deliveries that nothing else has settled. */
export function countDelivered(tx: Tx, eventIds: readonly string[]): void {
  if (eventIds.length === 0) return;
  send(tx, `SELECT ${inIndexOrder}`, []);
  addDelivered(tx, eventIds);
}

/**
 * Has rows that are found by their keys met in the order of the keys, not of where they lie: a column
 * for a statement that sets it.
 */
export const inIndexOrder = `set_config('enable_bitmapscan', 'off', true)`;

/**
 * Counts like `countDelivered` in a transaction that reads in the order of indexes. Events are changed
 * in that order, so that two workers never wait for each other in a circle: a row that is locked before
 * it is changed is written twice.
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
    [ids, ...rangeOf(ids.map((id) => ({ id }))), [...counts.values()]],
  );
}

/** Locks events and counts anew to whom they are owed and whom they have reached. */
export function recountEvents(tx: Tx, eventIds: readonly string[]): void {
  const ids = [...new Set(eventIds)].sort();
  for (let at = 0; at < ids.length; at += chunk) {
    const some = ids.slice(at, at + chunk);
    lockEvents(tx, some);
    send(
      tx,
      `WITH counted AS (
         -- One event after the other, by index, whatever the planner believes of the tables' sizes.
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
      [some, some[0], some.at(-1)],
    );
  }
}
