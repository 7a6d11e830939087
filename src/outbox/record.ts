import {
  type EventTypeName,
  eventTypeNames,
  eventTypes,
  type NewEvent,
} from '@scriptorium/contracts/events';
import { createCheck } from '@scriptorium/contracts/helpers/validator';
import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { columnsOf } from '../db/statements/rows.ts';
import { send, type Tx } from '../db/transaction.ts';

const checks = Object.fromEntries(
  eventTypeNames.map((name) => [name, createCheck(eventTypes[name].data)]),
) as Record<EventTypeName, ReturnType<typeof createCheck>>;

const insertIntoEvent = `INSERT INTO event
    (id, category, type, resource_type, resource_id, data, project_id, actor_type, actor_id, actor_name,
     address, request_id, trace_parent)`;

/** For a single event, because arrays would double the cost. */
const insertOne = `${insertIntoEvent} VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

const insertMany = `${insertIntoEvent}
  SELECT e.id, e.category, e.type, e.resource_type, e.resource_id, e.data, $1, $2, $3, $4, $5, $6, $7
  FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::jsonb[])
    AS e (id, category, type, resource_type, resource_id, data)`;

/**
 * Records events in the transaction that makes them true. This is the only way to create events.
 * Throws if data does not match the schema of its type, which rolls the change back. If the origin has no
 * request, that of the transaction's cause is used.
 * @returns the identifiers of the events, in order
 */
export async function record(tx: Tx, origin: Origin, ...events: NewEvent[]): Promise<string[]> {
  for (const event of events) {
    const faults = checks[event.type](event.data);
    if (faults !== null) {
      throw new Error(`The data of a ${event.type} event is invalid: ${faults}.`);
    }
  }
  const cause = takeCause(tx);
  const rows = events.map((event) => {
    const { category, resource: defaultResource } = eventTypes[event.type];
    const resource = event.resource ?? defaultResource;
    const data = JSON.stringify(event.data);
    return [event.id ?? newId('event'), category, event.type, resource, event.resourceId, data];
  });
  const common = [
    origin.projectId,
    origin.actor.type,
    origin.actor.id,
    origin.actor.name ?? null,
    origin.address,
    origin.requestId ?? cause.requestId,
    cause.traceParent,
  ];
  if (rows.length === 1) send(tx, insertOne, [...rows[0]!, ...common]);
  else send(tx, insertMany, [...common, ...columnsOf(rows, 6)]);
  return rows.map(([id]) => id!);
}

/** The cause of a transaction: the request, and the span it belongs to. */
export interface Cause {
  requestId: string | null;
  /** A W3C traceparent; null without tracing. */
  traceParent: string | null;
}

const unknownCause: Cause = { requestId: null, traceParent: null };

const cause = Symbol('cause');
const newWork = Symbol('leading');

/** A transaction with its cause. A WeakMap would cost the garbage collector more. */
type TracedTx = Tx & { [cause]?: Cause; [newWork]?: boolean };

/**
 * Sets the cause of a transaction. Its events and tasks store the cause, since hints carry
 * identifiers only: the worker that handles them joins the same trace and logs the same request.
 */
export function setCause(tx: TracedTx, value: Cause): void {
  tx[cause] = value;
}

/** The cause to store with an event or a task of the transaction. */
export function takeCause(tx: TracedTx): Cause {
  tx[newWork] = true;
  return tx[cause] ?? unknownCause;
}

/**
 * Whether the transaction has recorded an event or scheduled a task, so that a relay should be woken.
 */
export function hasRecordedWork(tx: TracedTx): boolean {
  return tx[newWork] === true;
}
