import type { Tx } from '../db/transaction.ts';

/** What a transaction goes back to: the request, and the span in whose name it is made. */
export interface Cause {
  requestId: string | null;
  /** A W3C traceparent; null where nobody traces. */
  traceParent: string | null;
}

const nobody: Cause = { requestId: null, traceParent: null };
const causes = new WeakMap<Tx, Cause>();

/**
 * Says what a transaction goes back to. Its events and tasks carry it, through Postgres, since hints
 * carry identifiers only: whoever works on them is in the same trace, and logs the same request.
 */
export function causedBy(tx: Tx, cause: Cause): void {
  causes.set(tx, cause);
}

/** Transactions that made an event or a task. */
const leading = new WeakSet<Tx>();

/** What an event or a task of a transaction goes back to: whoever makes one asks. */
export function causeOf(tx: Tx): Cause {
  leading.add(tx);
  return causes.get(tx) ?? nobody;
}

/** Whether a transaction has made an event or a task, which a relay should hear of. */
export function leadsOn(tx: Tx): boolean {
  return leading.has(tx);
}
