import { isWithin } from '../../access/addresses.ts';
import type { Identity } from '../../access/authenticate.ts';
import { grants } from '../../contracts/scopes.ts';
import { beginEarly, type Tx } from '../../db/transaction.ts';
import { causedBy } from '../../outbox/cause.ts';
import { peekRate } from './admit.ts';
import type { Exchange } from './exchange.ts';
import { rateOf } from './route.ts';

/** Work of a request that began before the login was answered. */
interface Early<T> {
  /** Lets it go on where the key is as it was thought to be; null where it has to be done anew. */
  goOn(identity: Identity): Promise<T> | null;
  giveUp(): void;
}

/**
 * Begins `work` in the packet that logs in, as the key that most likely asks: what it reads first is
 * answered together with the login, and shows nothing where that is refused. Until `granted` it only
 * reads.
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
 * Who most likely asks: the key as it was when it logged in last. Null where it is new to this process,
 * or where the request would be refused by what is known of it: then nothing is read ahead.
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

/** Whether a key is in all that it may do what it was thought to be. */
function isSame(one: Identity, other: Identity): boolean {
  return (
    one.keyId === other.keyId &&
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
