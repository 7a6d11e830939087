import { byKey, freesLocksSoon, prepared, send, type Tx } from '../../db/transaction.ts';
import type { DeliverLeft, EventBody, FanOutEvent } from './webhooks.ts';

/** How many events one transaction fans out. */
const batchSize = 500;

/** The columns of a `FanOutEvent`. */
export const fanOutColumns = `id, ordinal, project_id, category, type, resource_id,
       data ->> 'webhook_id' AS about, request_id, trace_parent`;

/**
 * Fans out a batch of numbered events: those that numbering left because their deliveries were too
 * many, or because a filter has to read their body. Several processes may do so at once; each takes
 * rows that no other holds.
 * @returns the events that were fanned out, and the endpoints that have something due
 */
export async function fanOutEvents(
  tx: Tx,
  deliver: DeliverLeft,
): Promise<{ events: number; batch: FanOutEvent[]; endpoints: string[] }> {
  byKey(tx, 'hash', freesLocksSoon);
  const events = await prepared<FanOutEvent & EventBody>(
    tx,
    `SELECT ${fanOutColumns}, body
     FROM event
     WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     ORDER BY ordinal LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
    [],
  );
  if (events.length === 0) return { events: 0, batch: [], endpoints: [] };
  const { owed, endpoints } = await deliver(tx, events);
  send(
    tx,
    `UPDATE event SET fanned_out_at = now(), owed = event.owed + counted.n
     FROM unnest($1::text[], $2::integer[]) AS counted (id, n)
     WHERE event.id = counted.id AND event.id = ANY($1) AND event.id BETWEEN $3 AND $4`,
    [events.map(({ id }) => id), events.map(({ id }) => owed.get(id) ?? 0), ...rangeOf(events)],
  );
  return { events: events.length, batch: events, endpoints };
}

/** The least and the greatest identifier, from which Postgres derives the partitions to read. */
export function rangeOf(events: readonly { id: string }[]): [least: string, greatest: string] {
  let [least, greatest] = [events[0]!.id, events[0]!.id];
  for (const { id } of events) {
    if (id < least) least = id;
    if (id > greatest) greatest = id;
  }
  return [least, greatest];
}
