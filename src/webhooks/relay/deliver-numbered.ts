import type { Tx } from '../../db/transaction.ts';
import type {
  BatchDeliveries,
  DeliverNumbered,
  EventBody,
  HandedEndpoint,
  NumberedEvent,
} from '../../outbox/relay/webhooks.ts';
import {
  type LeasedDelivery,
  lockFreeFlows,
  markLocked,
  type SenderCapacity,
  storeAndLease,
} from './lease-ahead-queries.ts';
import {
  countByEvent,
  dueEndpoints,
  type OwedDelivery,
  readSubscribersOfBatch,
  type Subscribers,
  storeDeliveries,
  subscribersOf,
} from './subscribers.ts';

/** Maximum number of deliveries that numbering creates; the loops that fan out create the others. */
const deliveriesPerBatch = 1_000;

/** A leased delivery that this process sends, with its event and the frozen body. */
export interface LeasedMessage {
  delivery: LeasedDelivery;
  event: NumberedEvent;
  body: string;
}

/** How the deliveries of a round are sent. */
export interface Dispatch {
  /** Leased deliveries, which this process sends immediately. */
  immediate: LeasedMessage[];
  /** Endpoints that are marked as handed over, whose hints must be added. */
  handed: HandedEndpoint[];
  /** Endpoints with due deliveries that have not been handed over. */
  waiting: string[];
}

/**
 * Decides which process sends the deliveries of a round of numbering: this one, up to its capacity;
 * workers, by hints for the endpoints that are marked here; or a worker that finds them later.
 */
export type SenderChoice = SenderCapacity | 'hints' | 'none';

/**
 * Delivers events as they are numbered. An event for too many endpoints, or for one with a filter,
 * is left to `deliverFanOut`.
 */
export function deliverNumbered(sentBy: SenderChoice): DeliverNumbered<Dispatch> {
  return async (tx) => {
    const subscribers = await readSubscribersOfBatch(tx);
    return (events) => deliverBatch(tx, events, subscribers, sentBy);
  };
}

function deliverBatch(
  tx: Tx,
  events: readonly NumberedEvent[],
  subscribers: Subscribers,
  sentBy: SenderChoice,
): BatchDeliveries<Dispatch> {
  const { owed, left } = findOwed(events, subscribers);
  const sender = typeof sentBy === 'object' ? sentBy : null;
  const candidates = sender ? candidatesOf(owed, sender.free) : [];
  const isLeasing = candidates.includes(true);
  const endpoints = dueEndpoints(owed);
  const isMarking = sentBy === 'hints' && endpoints.length > 0;
  const flowLocks = isLeasing || isMarking ? lockFreeFlows(tx, endpoints) : null;
  const leases = isLeasing ? storeAndLease(tx, owed, candidates, sender!.unstored) : null;
  if (!isLeasing) storeDeliveries(tx, owed);
  const marks = isMarking ? markLocked(tx) : null;
  return {
    owed: countByEvent(owed),
    left,
    wanted: [...new Set(owed.flatMap(({ event }, at) => (candidates[at] ? event.id : [])))],
    async dispatch(bodiesPromise) {
      const [lockedIds, leasedDeliveries, marked, bodies] = await Promise.all([
        flowLocks,
        leases,
        marks,
        bodiesPromise,
      ]);
      const immediate = leasedMessages(leasedDeliveries ?? [], events, bodies);
      const sent = new Set(
        immediate.map(({ delivery }) => `${delivery.eventId} ${delivery.endpoint.id}`),
      );
      const dueIds = dueEndpoints(
        owed.filter(({ event, subscriber }) => !sent.has(`${event.id} ${subscriber.id}`)),
      );
      // A locked endpoint that was not marked here was marked before, or its circuit is open.
      const waiting = isMarking ? dueIds.filter((id) => !lockedIds?.has(id)) : dueIds;
      return { immediate, handed: marked ?? [], waiting };
    },
  };
}

function findOwed(
  events: readonly NumberedEvent[],
  subscribers: Subscribers,
): { owed: OwedDelivery[]; left: Set<string> } {
  const owed: OwedDelivery[] = [];
  const leftForFanOut = new Set<string>();
  for (const event of events) {
    const interested = subscribersOf(event, subscribers);
    const isTooMany = owed.length + interested.length > deliveriesPerBatch;
    if (isTooMany || interested.some(({ filter }) => filter !== null)) leftForFanOut.add(event.id);
    else owed.push(...interested.map((subscriber) => ({ event, subscriber })));
  }
  return { owed, left: leftForFanOut };
}

/**
 * Marks the deliveries that this process would send: for each endpoint at most its `max_in_flight`, and
 * in total at most the capacity. `storeAndLease` decides which of these it may send.
 */
function candidatesOf(owed: readonly OwedDelivery[], capacity: number): boolean[] {
  const countByEndpoint = new Map<string, number>();
  let total = 0;
  return owed.map(({ subscriber: { id, state, max_in_flight: max } }) => {
    const count = countByEndpoint.get(id) ?? 0;
    if (state !== 'enabled' || count >= max || total >= capacity) return false;
    countByEndpoint.set(id, count + 1);
    total += 1;
    return true;
  });
}

function leasedMessages(
  leased: readonly LeasedDelivery[],
  events: readonly NumberedEvent[],
  bodies: readonly EventBody[],
): LeasedMessage[] {
  if (leased.length === 0) return [];
  const byId = new Map(events.map((event) => [event.id, event]));
  const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]));
  return leased.map((delivery) => ({
    delivery,
    event: byId.get(delivery.eventId)!,
    body: bodyOf.get(delivery.eventId)!,
  }));
}
