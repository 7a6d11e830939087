import type { Tx } from '../../db/transaction.ts';

/**
 * The functions of webhooks that the relay calls. The tables of endpoints and deliveries belong to
 * `webhooks`, whose folder `relay` implements these.
 */

/** The data of an event that determines to which endpoints it is owed. */
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

/** An event as it is numbered, with the content of messages about it. */
export interface NumberedEvent extends FanOutEvent {
  resource_type: string;
  /** Its age when it was read. */
  age_seconds: number;
}

/** The body of an event, frozen when it was numbered. */
export interface EventBody {
  id: string;
  body: string;
}

/** The deliveries of a batch of events that is being numbered. Their statements have been sent. */
export interface BatchDeliveries<Dispatch> {
  /** To how many endpoints each event is owed, by its identifier. */
  owed: ReadonlyMap<string, number>;
  /** Events left to the loops that fan out. */
  left: ReadonlySet<string>;
  /** Events whose bodies `dispatch` needs. */
  wanted: readonly string[];
  /** Returns how the deliveries are dispatched, once the results of their statements are known. */
  dispatch(bodies: Promise<EventBody[]>): Promise<Dispatch>;
}

/**
 * Delivers events as they are numbered. The first call sends its reads in the packet that reads the
 * batch, whose projects the setting `app.projects` names; the function it returns sends the writes.
 */
export type DeliverNumbered<Dispatch> = (
  tx: Tx,
) => Promise<(events: readonly NumberedEvent[]) => BatchDeliveries<Dispatch>>;

/**
 * Delivers events that numbering has left.
 * @returns to how many endpoints each event is owed, and the endpoints that now have due deliveries
 */
export type DeliverFanOut = (
  tx: Tx,
  events: readonly (FanOutEvent & EventBody)[],
) => Promise<{ owed: ReadonlyMap<string, number>; endpoints: string[] }>;

/** An endpoint that was handed over, and when. */
export interface HandedEndpoint {
  endpoint_id: string;
  handed_ms: number;
}

/** Endpoints with deliveries, as the relay hands them to workers. */
export interface EndpointQueue {
  /** Whether any delivery waits, due or not: a condition in SQL. */
  waiting: string;
  /** How many more endpoints may be handed over. */
  capacity(tx: Tx): Promise<number>;
  /** Chooses endpoints with due deliveries, and marks them as handed over. */
  claim(tx: Tx, limit: number): Promise<HandedEndpoint[]>;
  /** Takes endpoints back whose hints could not be added. */
  release(tx: Tx, endpointIds: readonly string[]): Promise<void>;
  /** Endpoints that were handed over before an interval (in SQL), and not claimed since. */
  unclaimed(tx: Tx, before: string): Promise<HandedEndpoint[]>;
  /**
   * Takes back these endpoints, or all that are handed over. Skips locked ones.
   * @returns how many were taken back
   */
  takeBack(tx: Tx, handed: readonly HandedEndpoint[] | 'all'): Promise<number>;
}
