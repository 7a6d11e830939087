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
  type SenderRoom,
  storeAndLease,
} from './lease-ahead-queries.ts';
import {
  countByEvent,
  dueEndpoints,
  type Owed,
  readSubscribersOfBatch,
  type Subscribers,
  storeDeliveries,
  subscribersOf,
} from './owed.ts';

/** Numbering creates at most this many deliveries; the loops that fan out create the rest. */
const deliveriesPerBatch = 1_000;

/** A delivery that this process sends at once, with its event and the body that was frozen. */
export interface SendNow {
  delivery: LeasedDelivery;
  event: NumberedEvent;
  body: string;
}

/** The senders of a round's deliveries. */
export interface Dispatch {
  /** Sent by this process: their leases have begun. */
  now: SendNow[];
  /** Marked as handed over; their hints are still to be added. */
  handed: HandedEndpoint[];
  /** Endpoints with due deliveries that have not been handed over. */
  waiting: string[];
}

/**
 * Decides which process sends the deliveries of a round of numbering: this one, as far as it has
 * room; workers, by hints for the endpoints that are marked here; or a worker that finds them
 * later.
 */
export type SentBy = SenderRoom | 'hints' | 'none';

/**
 * Delivers events as they are numbered. An event for too many endpoints, or for one with a filter,
 * is left to `deliverLeft`.
 */
export function deliverNumbered(by: SentBy): DeliverNumbered<Dispatch> {
  return async (tx) => {
    const subscribers = await readSubscribersOfBatch(tx);
    return (events) => deliverBatch(tx, events, subscribers, by);
  };
}

function deliverBatch(
  tx: Tx,
  events: readonly NumberedEvent[],
  subscribers: Subscribers,
  by: SentBy,
): BatchDeliveries<Dispatch> {
  const { owed, left } = whoIsOwed(events, subscribers);
  const sender = typeof by === 'object' ? by : null;
  const candidates = sender ? candidatesOf(owed, sender.room) : [];
  const leasing = candidates.includes(true);
  const endpoints = dueEndpoints(owed);
  const marking = by === 'hints' && endpoints.length > 0;
  const locked = leasing || marking ? lockFreeFlows(tx, endpoints) : null;
  const leased = leasing ? storeAndLease(tx, owed, candidates, sender!.answered) : null;
  if (!leasing) storeDeliveries(tx, owed);
  const handed = marking ? markLocked(tx) : null;
  return {
    owed: countByEvent(owed),
    left,
    wanted: [...new Set(owed.flatMap(({ event }, at) => (candidates[at] ? event.id : [])))],
    async dispatch(asked) {
      const [free, taken, marked, bodies] = await Promise.all([locked, leased, handed, asked]);
      const now = sendNow(taken ?? [], events, bodies);
      const sent = new Set(
        now.map(({ delivery }) => `${delivery.eventId} ${delivery.endpoint.id}`),
      );
      const waits = dueEndpoints(
        owed.filter(({ event, subscriber }) => !sent.has(`${event.id} ${subscriber.id}`)),
      );
      // A locked endpoint that was not marked here was marked before, or its circuit is open.
      const waiting = marking ? waits.filter((id) => !free?.has(id)) : waits;
      return { now, handed: marked ?? [], waiting };
    },
  };
}

function whoIsOwed(
  events: readonly NumberedEvent[],
  subscribers: Subscribers,
): { owed: Owed[]; left: Set<string> } {
  const owed: Owed[] = [];
  const left = new Set<string>();
  for (const event of events) {
    const wanting = subscribersOf(event, subscribers);
    const tooMany = owed.length + wanting.length > deliveriesPerBatch;
    if (tooMany || wanting.some(({ filter }) => filter !== null)) left.add(event.id);
    else owed.push(...wanting.map((subscriber) => ({ event, subscriber })));
  }
  return { owed, left };
}

/**
 * The deliveries that this process would send: for each endpoint at most its `max_in_flight`, and
 * in total at most the available room. `storeAndLease` decides which of these it may send.
 */
function candidatesOf(owed: readonly Owed[], room: number): boolean[] {
  const chosen = new Map<string, number>();
  let all = 0;
  return owed.map(({ subscriber: { id, state, max_in_flight: max } }) => {
    const before = chosen.get(id) ?? 0;
    if (state !== 'enabled' || before >= max || all >= room) return false;
    chosen.set(id, before + 1);
    all += 1;
    return true;
  });
}

function sendNow(
  leased: readonly LeasedDelivery[],
  events: readonly NumberedEvent[],
  bodies: readonly EventBody[],
): SendNow[] {
  if (leased.length === 0) return [];
  const byId = new Map(events.map((event) => [event.id, event]));
  const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]));
  return leased.map((delivery) => ({
    delivery,
    event: byId.get(delivery.eventId)!,
    body: bodyOf.get(delivery.eventId)!,
  }));
}
