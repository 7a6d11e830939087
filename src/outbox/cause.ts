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

/** What a transaction goes back to. */
export function causeOf(tx: Tx): Cause {
  return causes.get(tx) ?? nobody;
}
