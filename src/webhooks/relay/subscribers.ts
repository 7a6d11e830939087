import { wantsType } from '@scriptorium/contracts/events/patterns';
import { matchesFilter, type PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import { newId } from '@scriptorium/contracts/ids';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { DeliverFanOut, FanOutEvent } from '../../outbox/relay/webhooks.ts';

/** An endpoint, with the fields that determine which events it is owed. */
export interface Subscriber {
  id: string;
  project_id: string;
  event_types: string[];
  state: 'enabled' | 'paused' | 'disabled';
  filter: PayloadFilter | null;
  max_in_flight: number;
}

/** The endpoints of some projects, by project. */
export type Subscribers = ReadonlyMap<string, Subscriber[]>;

const subscriberColumns = 'id, project_id, event_types, state, filter, max_in_flight';

/** An event, and an endpoint that is owed it. */
export interface OwedDelivery {
  event: FanOutEvent;
  subscriber: Subscriber;
}

/** The endpoints of some projects. */
async function readSubscribers(tx: Tx, projectIds: readonly string[]): Promise<Subscribers> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${subscriberColumns} FROM webhook_endpoint WHERE project_id = ANY($1) ORDER BY id`,
    [projectIds],
  );
  return groupByProject(rows);
}

/** The endpoints of the projects that the setting `app.projects` names. */
export async function readSubscribersOfBatch(tx: Tx): Promise<Subscribers> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${subscriberColumns} FROM webhook_endpoint
     WHERE project_id = ANY(string_to_array(current_setting('app.projects', true), ','))
     ORDER BY id`,
    [],
  );
  return groupByProject(rows);
}

function groupByProject(rows: readonly Subscriber[]): Subscribers {
  const byProject = new Map<string, Subscriber[]>();
  for (const row of rows) {
    const group = byProject.get(row.project_id);
    if (group) group.push(row);
    else byProject.set(row.project_id, [row]);
  }
  return byProject;
}

/** The endpoints whose types match an event. Their filters are not applied. */
export function subscribersOf(event: FanOutEvent, subscribers: Subscribers): Subscriber[] {
  return (subscribers.get(event.project_id) ?? []).filter(
    ({ id, event_types }) =>
      wantsType(event_types, event) &&
      // An endpoint is never owed an event about itself.
      id !== event.resource_id &&
      id !== event.about,
  );
}

/** To how many endpoints each event is owed, by its identifier. */
export function countByEvent(owed: readonly OwedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of owed) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  return counts;
}

/** The enabled endpoints with new due deliveries. */
export function dueEndpoints(owed: readonly OwedDelivery[]): string[] {
  const enabled = owed.filter(({ subscriber }) => subscriber.state === 'enabled');
  return [...new Set(enabled.map(({ subscriber }) => subscriber.id))].sort();
}

/**
 * Inserts owed deliveries. A delivery for a disabled endpoint is `skipped`, with the reason, so that it
 * remains visible.
 */
export function storeDeliveries(tx: Tx, owed: readonly OwedDelivery[]): void {
  if (owed.length === 0) return;
  send(
    tx,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
         $7::boolean[]) AS d (id, event_id, event_type, project_id, endpoint_id, ordinal, skipped)
     ), made AS (
       INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, reason, finished_at)
       SELECT id, event_id, event_type, project_id, endpoint_id, CASE WHEN skipped THEN 'skipped' ELSE 'pending' END,
         CASE WHEN skipped THEN 'endpoint_disabled' END, CASE WHEN skipped THEN now() END
       FROM given
     )
     -- Due from now, not from the start of the transaction: that may precede the numbering of another relay.
     INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal, due_at)
     SELECT id, event_id, project_id, endpoint_id, ordinal, statement_timestamp() FROM given WHERE NOT skipped`,
    deliveryValues(owed),
  );
}

/** New deliveries as columns: id, event, its type, project, endpoint, ordinal, and whether it is skipped. */
export function deliveryValues(owed: readonly OwedDelivery[]): unknown[][] {
  return [
    owed.map(() => newId('delivery')),
    owed.map(({ event }) => event.id),
    owed.map(({ event }) => event.type),
    owed.map(({ event }) => event.project_id),
    owed.map(({ subscriber }) => subscriber.id),
    owed.map(({ event }) => event.ordinal),
    owed.map(({ subscriber }) => subscriber.state === 'disabled'),
  ];
}

/** Delivers events that numbering has left to each endpoint whose types and filter match them. */
export const deliverFanOut: DeliverFanOut = async (tx, events) => {
  const projects = new Set(events.map((event) => event.project_id));
  const subscribers = await readSubscribers(tx, [...projects]);
  const owed = events.flatMap((event): OwedDelivery[] => {
    const body: unknown = JSON.parse(event.body);
    return subscribersOf(event, subscribers)
      .filter(({ filter }) => filter === null || matchesFilter(filter, body))
      .map((subscriber) => ({ event, subscriber }));
  });
  storeDeliveries(tx, owed);
  return { owed: countByEvent(owed), endpoints: dueEndpoints(owed) };
};
