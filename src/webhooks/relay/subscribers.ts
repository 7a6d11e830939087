import { wantsType } from '@scriptorium/contracts/events/patterns';
import type { PayloadFilter } from '@scriptorium/contracts/events/payload-filter';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { FanOutEvent } from '../../outbox/relay/webhooks.ts';

/** An endpoint, as far as it decides which events it is owed. */
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

const columns = 'id, project_id, event_types, state, filter, max_in_flight';

/** An event, and an endpoint that is owed it. */
export interface Owed {
  event: FanOutEvent;
  subscriber: Subscriber;
}

/** The endpoints of some projects. */
export async function readSubscribers(tx: Tx, projectIds: readonly string[]): Promise<Subscribers> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${columns} FROM webhook_endpoint WHERE project_id = ANY($1) ORDER BY id`,
    [projectIds],
  );
  return byProjectOf(rows);
}

/** The endpoints of the projects that the setting `app.projects` names. */
export async function readSubscribersOfBatch(tx: Tx): Promise<Subscribers> {
  const rows = await prepared<Subscriber>(
    tx,
    `SELECT ${columns} FROM webhook_endpoint
     WHERE project_id = ANY(string_to_array(current_setting('app.projects', true), ','))
     ORDER BY id`,
    [],
  );
  return byProjectOf(rows);
}

function byProjectOf(rows: readonly Subscriber[]): Subscribers {
  const byProject = new Map<string, Subscriber[]>();
  for (const row of rows) {
    const found = byProject.get(row.project_id);
    if (found) found.push(row);
    else byProject.set(row.project_id, [row]);
  }
  return byProject;
}

/** Which endpoints want an event by its type. Their filters are not applied. */
export function subscribersOf(event: FanOutEvent, subscribers: Subscribers): Subscriber[] {
  return (subscribers.get(event.project_id) ?? []).filter(
    ({ id, event_types }) =>
      wantsType(event_types, event) &&
      // An endpoint is never owed an event about itself.
      id !== event.resource_id &&
      id !== event.about,
  );
}

/** How many deliveries each event is owed, by its identifier. */
export function countByEvent(owed: readonly Owed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of owed) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  return counts;
}

/** The enabled endpoints that something became due for. */
export function dueEndpoints(owed: readonly Owed[]): string[] {
  const enabled = owed.filter(({ subscriber }) => subscriber.state === 'enabled');
  return [...new Set(enabled.map(({ subscriber }) => subscriber.id))].sort();
}
