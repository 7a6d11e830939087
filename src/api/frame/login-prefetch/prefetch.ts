import { grants } from '@scriptorium/contracts/scopes';
import { isWithin } from '../../../access/addresses.ts';
import type { Identity } from '../../../access/authenticate.ts';
import { startPrefetch, type Tx } from '../../../db/transaction.ts';
import { causedBy } from '../../../outbox/record.ts';
import { peekRate } from '../admit.ts';
import type { Exchange } from '../exchange.ts';
import { rateOf } from '../route-facts.ts';

/** Work of a request that started before the result of the login was known. */
interface Prefetched<T> {
  /** Continues if the key is as expected; null if the work must start again. */
  resume(identity: Identity): Promise<T> | null;
  cancel(): void;
}

/**
 * Starts `work` in the packet of the login with the expected identity, so that its first reads
 * return together with the login. The reads return nothing if the login fails. Until `granted`, it
 * must only read.
 */
export function prefetch<T>(
  exchange: Exchange,
  tx: Tx,
  work: (identity: Identity, own: Tx, granted: Promise<void>) => Promise<T>,
): Prefetched<T> | null {
  const expected = expectedIdentity(exchange);
  if (!expected) return null;
  let grant: () => void = () => undefined;
  const granted = new Promise<void>((resolve) => {
    grant = resolve;
  });
  const started = startPrefetch(tx, (own) => {
    causedBy(own, exchange.cause);
    return work(expected, own, granted);
  });
  return {
    resume(identity) {
      if (!isSame(identity, expected)) return null;
      grant();
      return started.resume();
    },
    cancel: started.cancel,
  };
}

/**
 * The expected identity: the key as of its last login. Null if it is new to this process, or if the
 * request would be rejected for that key.
 */
function expectedIdentity(exchange: Exchange): Identity | null {
  const { credentials, route, frame, address } = exchange;
  const identity = frame.transactions.lastSeen(credentials);
  if (!identity || identity.projectId !== credentials.projectId) return null;
  if (identity.allowedCidrs.length > 0 && !isWithin(address, identity.allowedCidrs)) return null;
  if (!route.scopes.every((scope) => grants(identity.scopes, scope))) return null;
  if (rateOf(route) !== 'none' && !peekRate(exchange, identity).allowed) return null;
  return identity;
}

/** Whether a key has the expected permissions. */
function isSame(one: Identity, other: Identity): boolean {
  return (
    one.caller.id === other.caller.id &&
    one.caller.name === other.caller.name &&
    one.role === other.role &&
    one.projectId === other.projectId &&
    one.readPerMinute === other.readPerMinute &&
    one.writePerMinute === other.writePerMinute &&
    areEqual(one.scopes, other.scopes) &&
    areEqual(one.allowedCidrs, other.allowedCidrs)
  );
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
