import { Problem } from '@scriptorium/contracts/problems';
import type { WorkClass } from '@scriptorium/contracts/work/work';
import { authenticate, type Identity, nameOf } from '../../access/authenticate.ts';
import type { FairQueue, Party } from '../../access/fair-queue.ts';
import { usedUpQuota } from '../../db/faults.ts';
import { inReadTransaction, inTransaction, type Tx } from '../../db/transaction.ts';
import { causedBy } from '../../outbox/record.ts';
import { isLostRace } from './answers/problem.ts';
import type { Exchange, RequestTransactions } from './exchange.ts';

/** The maximum number of attempts of a transaction that loses races. */
const attempts = 4;
/** How many keys are cached with their permissions. */
const maxRemembered = 10_000;

/**
 * Creates the transactions of one process. A request counts for the project of its key, not for the
 * one in its header; otherwise clients could use up another project's share. A key that is new to
 * this process must therefore log in first. Keys never change their project.
 */
export function createRequestTransactions(fairQueue: FairQueue): RequestTransactions {
  const seen = new Map<string, Identity>();
  const remember = (key: string, identity: Identity): void => {
    const [oldest] = seen.keys();
    if (seen.size >= maxRemembered && oldest !== undefined && !seen.has(key)) seen.delete(oldest);
    seen.set(key, identity);
  };
  const partyOf = async (exchange: Exchange): Promise<Party> => {
    const { credentials, address, frame } = exchange;
    const key = nameOf(credentials);
    const known = seen.get(key);
    if (known !== undefined) return { project: known.projectId, key };
    const newcomer: Party = { project: 'newcomers', key: address ?? '' };
    const identity = await fairQueue.run(newcomer, 'quick', () =>
      inReadTransaction(frame.deps.database, (tx) => authenticate(tx, credentials, 'quick')),
    );
    remember(key, identity);
    return { project: identity.projectId, key };
  };
  const inTurn = async <T>(
    exchange: Exchange,
    kind: WorkClass,
    during: typeof inTransaction,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const party = await partyOf(exchange);
    for (let attempt = 1; ; attempt++) {
      try {
        return await fairQueue.run(party, kind, () =>
          during(exchange.frame.deps.database, (tx) => {
            causedBy(tx, exchange.cause);
            return work(tx);
          }),
        );
      } catch (error) {
        if (attempt >= attempts || !isLostRace(error)) throw quotaProblem(error) ?? error;
      } finally {
        if (exchange.identity) remember(party.key, exchange.identity);
      }
    }
  };
  return {
    transact: (exchange, kind, work) => inTurn(exchange, kind, inTransaction, work),
    read: (exchange, kind, work) => inTurn(exchange, kind, inReadTransaction, work),
    projectOf: async (exchange) => (await partyOf(exchange)).project,
    lastSeen: (credentials) => seen.get(nameOf(credentials)),
  };
}

/** The problem for a quota that Postgres reports as exceeded. */
function quotaProblem(error: unknown): Problem | null {
  const used = usedUpQuota(error);
  if (!used) return null;
  const { quota, limit } = used;
  const detail = `The request would exceed the quota of \`${quota}\`: ${used.used} of ${limit} are used. Delete resources, or ask the operator for a higher quota.`;
  return new Problem('quota_exceeded', detail, { extra: { ...used } });
}
