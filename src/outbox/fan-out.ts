import type { EventTypeName } from '../contracts/events.ts';
import { newId } from '../contracts/ids.ts';
import { wantsType } from '../contracts/patterns.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';

/** How many events one transaction fans out. */
export const batchSize = 500;

interface NumberedEvent {
  id: string;
  project_id: string;
  type: EventTypeName;
  resource_id: string;
  /** The endpoint that an event about a delivery names in its data. */
  about: string | null;
}

interface Subscriber {
  id: string;
  project_id: string;
  event_types: string[];
  state: 'enabled' | 'paused' | 'disabled';
}

/**
 * Turns a batch of numbered events into deliveries, one for each endpoint that wants the event. A
 * disabled endpoint gets a `skipped` row with the reason, so that nothing owed is invisible. Several
 * processes may fan out at once: each takes rows that no other holds.
 * @returns how many events were fanned out, and how many deliveries are due
 */
export async function fanOutEvents(tx: Tx): Promise<{ events: number; deliveries: number }> {
  const events = await prepared<NumberedEvent>(
    tx,
    `SELECT id, project_id, type, resource_id, data ->> 'webhook_id' AS about FROM event
     WHERE sequence IS NOT NULL AND fanned_out_at IS NULL
     ORDER BY ordinal LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`,
    [],
  );
  if (events.length === 0) return { events: 0, deliveries: 0 };
  const owed = await owedDeliveries(tx, events);
  const counts = new Map<string, number>();
  for (const { event } of owed) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  if (owed.length > 0) {
    send(
      tx,
      `INSERT INTO delivery (id, event_id, project_id, endpoint_id, state, reason, finished_at)
       SELECT d.id, d.event_id, d.project_id, d.endpoint_id, d.state, d.reason,
         CASE WHEN d.state = 'skipped' THEN now() END
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         AS d (id, event_id, project_id, endpoint_id, state, reason)
       ON CONFLICT (event_id, endpoint_id, replay_id) DO NOTHING`,
      [
        owed.map(() => newId('delivery')),
        owed.map(({ event }) => event.id),
        owed.map(({ event }) => event.project_id),
        owed.map(({ subscriber }) => subscriber.id),
        owed.map(({ subscriber }) => (subscriber.state === 'disabled' ? 'skipped' : 'pending')),
        owed.map(({ subscriber }) =>
          subscriber.state === 'disabled' ? 'endpoint_disabled' : null,
        ),
      ],
    );
  }
  send(
    tx,
    `UPDATE event SET fanned_out_at = now(), owed = event.owed + counted.n
     FROM unnest($1::text[], $2::integer[]) AS counted (id, n) WHERE event.id = counted.id`,
    [events.map((event) => event.id), events.map((event) => counts.get(event.id) ?? 0)],
  );
  return { events: events.length, deliveries: owed.length };
}

async function owedDeliveries(
  tx: Tx,
  events: NumberedEvent[],
): Promise<{ event: NumberedEvent; subscriber: Subscriber }[]> {
  const subscribers = await prepared<Subscriber>(
    tx,
    `SELECT id, project_id, event_types, state FROM webhook_endpoint WHERE project_id = ANY($1)
     ORDER BY id`,
    [[...new Set(events.map((event) => event.project_id))]],
  );
  if (subscribers.length === 0) return [];
  return events.flatMap((event) =>
    subscribers
      .filter((subscriber) => subscriber.project_id === event.project_id)
      .filter((subscriber) => wantsType(subscriber.event_types, event.type))
      // What is said about an endpoint is never owed to that endpoint.
      .filter(({ id }) => id !== event.resource_id && id !== event.about)
      .map((subscriber) => ({ event, subscriber })),
  );
}
