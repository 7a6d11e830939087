import { grants } from '@scriptorium/contracts/scopes';
import type { Identity } from '../../../access/authenticate.ts';
import { isWithin } from '../../../access/ip-addresses.ts';
import { startPrefetch, type Tx } from '../../../db/transaction.ts';
import { setCause } from '../../../outbox/record.ts';
import { peekRate } from '../admit.ts';
import type { Exchange } from '../exchange.ts';
import { rateOf } from '../route-properties.ts';

/** Work of a request that started before the result of the login was known. */
interface Prefetched<T> {
  /** Continues if the key is as expected. Returns null if the work must start again. */
  resume(identity: Identity): Promise<T> | null;
  cancel(): void;
}

/**
 * Starts `work` in the packet of the login with the expected identity, so that its first reads
 * return together with the login. The reads return nothing if the login fails. It must
 * not write until `granted` is resolved.
 */
export function prefetch<T>(
  exchange: Exchange,
  tx: Tx,
  work: (identity: Identity, ownTx: Tx, granted: Promise<void>) => Promise<T>,
): Prefetched<T> | null {
  const expected = expectedIdentity(exchange);
  if (!expected) return null;
  let grant: () => void = () => undefined;
  const granted = new Promise<void>((resolve) => {
    grant = resolve;
  });
  const prefetching = startPrefetch(tx, (ownTx) => {
    setCause(ownTx, exchange.cause);
    return work(expected, ownTx, granted);
  });
  return {
    resume(identity) {
      if (!isSameIdentity(identity, expected)) return null;
      grant();
      return prefetching.resume();
    },
    cancel: prefetching.cancel,
  };
}

/**
 * The expected identity: that of the last login with the key. Null if the key is new to this
 * process, or if the request would be rejected for that identity.
 */
function expectedIdentity(exchange: Exchange): Identity | null {
  const { credentials, route, frame, address } = exchange;
  const identity = frame.transactions.lastIdentity(credentials);
  if (!identity || identity.projectId !== credentials.projectId) return null;
  if (identity.allowedCidrs.length > 0 && !isWithin(address, identity.allowedCidrs)) return null;
  if (!route.scopes.every((scope) => grants(identity.scopes, scope))) return null;
  if (rateOf(route) !== 'none' && !peekRate(exchange, identity).allowed) return null;
  return identity;
}

/** Whether a key has the expected permissions. */
function isSameIdentity(actual: Identity, expected: Identity): boolean {
  return (
    actual.caller.id === expected.caller.id &&
    actual.caller.name === expected.caller.name &&
    actual.role === expected.role &&
    actual.projectId === expected.projectId &&
    actual.readPerMinute === expected.readPerMinute &&
    actual.writePerMinute === expected.writePerMinute &&
    areEqual(actual.scopes, expected.scopes) &&
    areEqual(actual.allowedCidrs, expected.allowedCidrs)
  );
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
