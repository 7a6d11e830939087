import { isWithin } from '../../../access/addresses.ts';
import type { Identity } from '../../../access/authenticate.ts';
import { grants } from '../../../contracts/scopes.ts';
import { beginEarly, type Tx } from '../../../db/transaction.ts';
import { causedBy } from '../../../outbox/cause.ts';
import { peekRate } from '../admit.ts';
import type { Exchange } from '../exchange.ts';
import { rateOf } from '../route-facts.ts';

/** Work of a request that started before the result of the login was known. */
interface Early<T> {
  /** Continues if the key is as expected; null if the work must start again. */
  goOn(identity: Identity): Promise<T> | null;
  giveUp(): void;
}

/**
 * Starts `work` in the packet of the login with the expected identity, so that its first reads
 * return together with the login. They return nothing if the login fails. Until `granted` it must
 * only read.
 */
export function goEarly<T>(
  exchange: Exchange,
  tx: Tx,
  work: (identity: Identity, own: Tx, granted: Promise<void>) => Promise<T>,
): Early<T> | null {
  const likely = foresee(exchange);
  if (!likely) return null;
  let grant: () => void = () => undefined;
  const granted = new Promise<void>((resolve) => {
    grant = resolve;
  });
  const begun = beginEarly(tx, (own) => {
    causedBy(own, exchange.cause);
    return work(likely, own, granted);
  });
  return {
    goOn(identity) {
      if (!isSame(identity, likely)) return null;
      grant();
      return begun.goOn();
    },
    giveUp: begun.giveUp,
  };
}

/**
 * The expected identity: the key as of its last login. Null if it is new to this process, or if the
 * request would be rejected for that key.
 */
function foresee(exchange: Exchange): Identity | null {
  const { credentials, route, frame, address } = exchange;
  const identity = frame.turns.lastSeen(credentials);
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
