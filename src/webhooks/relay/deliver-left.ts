import { matchesFilter } from '@scriptorium/contracts/events/payload-filter';
import type { DeliverLeft } from '../../outbox/relay/webhooks.ts';
import { storeDeliveries } from './store-deliveries.ts';
import {
  countByEvent,
  dueEndpoints,
  type Owed,
  readSubscribers,
  subscribersOf,
} from './subscribers.ts';

/** Delivers events that numbering has left to each endpoint that wants their type and body. */
export const deliverLeft: DeliverLeft = async (tx, events) => {
  const projects = new Set(events.map((event) => event.project_id));
  const subscribers = await readSubscribers(tx, [...projects]);
  const owed = events.flatMap((event): Owed[] => {
    const body: unknown = JSON.parse(event.body);
    return subscribersOf(event, subscribers)
      .filter(({ filter }) => filter === null || matchesFilter(filter, body))
      .map((subscriber) => ({ event, subscriber }));
  });
  storeDeliveries(tx, owed);
  return { owed: countByEvent(owed), endpoints: dueEndpoints(owed) };
};
