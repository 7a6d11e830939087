import type { Tx } from '../db/transaction.ts';

/** What a transaction goes back to: the request, and the span in whose name it is made. */
export interface Cause {
  requestId: string | null;
  /** A W3C traceparent; null where nobody traces. */
  traceParent: string | null;
}

const nobody: Cause = { requestId: null, traceParent: null };

const cause = Symbol('cause');
const leading = Symbol('leading');

/** A transaction with what is noted on it: a WeakMap of them would cost the collector more. */
type Noted = Tx & { [cause]?: Cause; [leading]?: boolean };

/**
 * Says what a transaction goes back to. Its events and tasks carry it, through Postgres, since hints
 * carry identifiers only: whoever works on them is in the same trace, and logs the same request.
 */
export function causedBy(tx: Noted, given: Cause): void {
  tx[cause] = given;
}

/** What an event or a task of a transaction goes back to: whoever makes one asks. */
export function causeOf(tx: Noted): Cause {
  tx[leading] = true;
  return tx[cause] ?? nobody;
}

/** Whether a transaction has made an event or a task, which a relay should hear of. */
export function leadsOn(tx: Noted): boolean {
  return tx[leading] === true;
}
