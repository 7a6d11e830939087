import { authenticate } from '../../access/authenticate.ts';
import type { Party, Shares } from '../../access/shares.ts';
import { Problem } from '../../contracts/problems.ts';
import type { WorkClass } from '../../contracts/work.ts';
import { usedUpQuota } from '../../db/faults.ts';
import { inTransaction, type Tx } from '../../db/transaction.ts';
import { causedBy } from '../../outbox/cause.ts';
import type { Exchange } from './exchange.ts';
import { isLostRace } from './problem.ts';

/** How often a transaction that lost a race is tried, the first time included. */
const attempts = 4;
/** How many keys are remembered with their projects. */
const mostRemembered = 10_000;

/** Opens the transactions of requests, each when it is its project's turn. */
export interface Turns {
  /** Runs `work` in a transaction; again when it lost a race. */
  transact<T>(exchange: Exchange, kind: WorkClass, work: (tx: Tx) => Promise<T>): Promise<T>;
}

/**
 * Makes the turns of one process. A request counts for the project that its key belongs to, never for
 * the one its header names: else anybody could use up a stranger's share. So a key that is new to this
 * process logs in first, among all others that do; a key never moves to another project.
 */
export function createTurns(shares: Shares): Turns {
  const projects = new Map<string, string>();
  const remember = (key: string, projectId: string): void => {
    const [oldest] = projects.keys();
    if (projects.size >= mostRemembered && oldest !== undefined) projects.delete(oldest);
    projects.set(key, projectId);
  };
  const partyOf = async (exchange: Exchange): Promise<Party> => {
    const { credentials, address, frame } = exchange;
    const key = credentials.keyHash.toString('base64');
    const known = projects.get(key);
    if (known !== undefined) return { project: known, key };
    const newcomer: Party = { project: 'newcomers', key: address ?? '' };
    const identity = await shares.during(newcomer, 'quick', () =>
      inTransaction(frame.deps.database, (tx) => authenticate(tx, credentials, 'quick')),
    );
    remember(key, identity.projectId);
    return { project: identity.projectId, key };
  };
  return {
    async transact(exchange, kind, work) {
      const party = await partyOf(exchange);
      for (let attempt = 1; ; attempt++) {
        try {
          return await shares.during(party, kind, () =>
            inTransaction(exchange.frame.deps.database, (tx) => {
              causedBy(tx, exchange.cause);
              return work(tx);
            }),
          );
        } catch (error) {
          if (attempt >= attempts || !isLostRace(error)) throw quotaProblem(error) ?? error;
        }
      }
    },
  };
}

/** What a client is told of a quota that is used up, which Postgres says. */
function quotaProblem(error: unknown): Problem | null {
  const used = usedUpQuota(error);
  if (!used) return null;
  const { quota, limit } = used;
  const detail = `The project's quota of \`${quota}\` is ${limit}, of which ${used.used} are used: this would exceed it. Remove some, or ask the operator for more.`;
  return new Problem('quota_exceeded', detail, { extra: { ...used } });
}
