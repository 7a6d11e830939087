import { authenticate, type Credentials, type Identity } from '../../access/authenticate.ts';
import type { Party, Shares } from '../../access/shares.ts';
import { Problem } from '../../contracts/problems.ts';
import type { WorkClass } from '../../contracts/work.ts';
import { usedUpQuota } from '../../db/faults.ts';
import { inReading, inTransaction, type Tx } from '../../db/transaction.ts';
import { causedBy } from '../../outbox/cause.ts';
import type { Exchange } from './exchange.ts';
import { isLostRace } from './problem.ts';

/** How often a transaction that lost a race is tried, the first time included. */
const attempts = 4;
/** How many keys are remembered with what they may do. */
const mostRemembered = 10_000;

/** Opens the transactions of requests, each when it is its project's turn. */
export interface Turns {
  /** Runs `work` in a transaction; again when it lost a race. */
  transact<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for work that only reads: no packet starts or commits anything (`inReading`). */
  read<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The project that the key of a request belongs to. A key new to this process logs in for that. */
  projectOf(exchange: Exchange): Promise<string>;
  /** A key as it was when it logged in last. It may have changed since, and is only to guess by. */
  lastSeen(credentials: Credentials): Identity | undefined;
}

/**
 * Makes the turns of one process. A request counts for the project that its key belongs to, never for
 * the one its header names: else anybody could use up a stranger's share. So a key that is new to this
 * process logs in first, among all others that do; a key never moves to another project.
 */
export function createTurns(shares: Shares): Turns {
  const seen = new Map<string, Identity>();
  const remember = (key: string, identity: Identity): void => {
    const [oldest] = seen.keys();
    if (seen.size >= mostRemembered && oldest !== undefined && !seen.has(key)) seen.delete(oldest);
    seen.set(key, identity);
  };
  const partyOf = async (exchange: Exchange): Promise<Party> => {
    const { credentials, address, frame } = exchange;
    const key = nameOf(credentials);
    const known = seen.get(key);
    if (known !== undefined) return { project: known.projectId, key };
    const newcomer: Party = { project: 'newcomers', key: address ?? '' };
    const identity = await shares.during(newcomer, 'quick', () =>
      inReading(frame.deps.database, (tx) => authenticate(tx, credentials, 'quick')),
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
        return await shares.during(party, kind, () =>
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
    read: (exchange, kind, work) => inTurn(exchange, kind, inReading, work),
    projectOf: async (exchange) => (await partyOf(exchange)).project,
    lastSeen: (credentials) => seen.get(nameOf(credentials)),
  };
}

function nameOf({ keyHash }: Credentials): string {
  return keyHash.toString('latin1');
}

/** What a client is told of a quota that is used up, which Postgres says. */
function quotaProblem(error: unknown): Problem | null {
  const used = usedUpQuota(error);
  if (!used) return null;
  const { quota, limit } = used;
  const detail = `The project's quota of \`${quota}\` is ${limit}, of which ${used.used} are used: this would exceed it. Remove some, or ask the operator for more.`;
  return new Problem('quota_exceeded', detail, { extra: { ...used } });
}
