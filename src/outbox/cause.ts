import type { Tx } from '../db/transaction.ts';

/** The cause of a transaction: the request, and the span it belongs to. */
export interface Cause {
  requestId: string | null;
  /** A W3C traceparent; null without tracing. */
  traceParent: string | null;
}

const unknown: Cause = { requestId: null, traceParent: null };

const cause = Symbol('cause');
const leading = Symbol('leading');

/** A transaction with its cause. A WeakMap would cost the garbage collector more. */
type Noted = Tx & { [cause]?: Cause; [leading]?: boolean };

/**
 * Sets the cause of a transaction. Its events and tasks store the cause, since hints carry
 * identifiers only: the worker that handles them joins the same trace and logs the same request.
 */
export function causedBy(tx: Noted, given: Cause): void {
  tx[cause] = given;
}

/** The cause to store with an event or a task of the transaction. */
export function causeOf(tx: Noted): Cause {
  tx[leading] = true;
  return tx[cause] ?? unknown;
}

/**
 * Whether the transaction has recorded an event or scheduled a task, which a relay should hear of.
 */
export function leadsOn(tx: Noted): boolean {
  return tx[leading] === true;
}
