import { Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import { authenticate, credentialsKey, type Identity } from '../../access/authenticate.ts';
import type { FairQueue, Party } from '../../access/fair-queue.ts';
import { exhaustedQuotaOf } from '../../db/errors.ts';
import { inReadTransaction, inTransaction, type Tx } from '../../db/transaction.ts';
import { setCause } from '../../outbox/record.ts';
import type { Exchange, RequestTransactions } from './exchange.ts';
import { isLostRace } from './responses/problem.ts';

/** The maximum number of attempts of a transaction that conflicts with others. */
const maxAttempts = 4;
/** The maximum number of keys cached with their permissions. */
const maxCachedKeys = 10_000;

/**
 * Creates the transactions of a process. A request counts towards the project of its key, not the
 * project in its header: otherwise clients could use up another project's share. A key that is new
 * to this process must therefore log in first. A key never moves to another project.
 */
export function createRequestTransactions(fairQueue: FairQueue): RequestTransactions {
  const identities = new Map<string, Identity>();
  const remember = (key: string, identity: Identity): void => {
    const [oldest] = identities.keys();
    if (identities.size >= maxCachedKeys && oldest !== undefined && !identities.has(key))
      identities.delete(oldest);
    identities.set(key, identity);
  };
  const partyOf = async (exchange: Exchange): Promise<Party> => {
    const { credentials, address, frame } = exchange;
    const key = credentialsKey(credentials);
    const known = identities.get(key);
    if (known !== undefined) return { project: known.projectId, key };
    const unknownKeyParty: Party = { project: 'newcomers', key: address ?? '' };
    const identity = await fairQueue.run(unknownKeyParty, 'quick', () =>
      inReadTransaction(frame.deps.database, (tx) => authenticate(tx, credentials, 'quick')),
    );
    remember(key, identity);
    return { project: identity.projectId, key };
  };
  const runInTurn = async <T>(
    exchange: Exchange,
    kind: WorkClass,
    runTransaction: typeof inTransaction,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const party = await partyOf(exchange);
    for (let attempt = 1; ; attempt++) {
      try {
        return await fairQueue.run(party, kind, () =>
          runTransaction(exchange.frame.deps.database, (tx) => {
            setCause(tx, exchange.cause);
            return work(tx);
          }),
        );
      } catch (error) {
        if (attempt >= maxAttempts || !isLostRace(error)) throw quotaProblem(error) ?? error;
      } finally {
        if (exchange.identity) remember(party.key, exchange.identity);
      }
    }
  };
  return {
    transact: (exchange, kind, work) => runInTurn(exchange, kind, inTransaction, work),
    read: (exchange, kind, work) => runInTurn(exchange, kind, inReadTransaction, work),
    projectOf: async (exchange) => (await partyOf(exchange)).project,
    lastIdentity: (credentials) => identities.get(credentialsKey(credentials)),
  };
}

/** The problem for a quota that Postgres reports as exceeded. */
function quotaProblem(error: unknown): Problem | null {
  const exceeded = exhaustedQuotaOf(error);
  if (!exceeded) return null;
  const { quota, limit } = exceeded;
  const detail = `The request would exceed the quota of \`${quota}\`: ${exceeded.used} of ${limit} are used. Delete resources, or ask the operator for a higher quota.`;
  return new Problem('quota_exceeded', detail, { extra: { ...exceeded } });
}
