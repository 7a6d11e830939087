import { setTimeout as delay } from 'node:timers/promises';
import { faultOf } from '../../../db/faults.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { inRounds } from '../../../outbox/rounds.ts';
import { settleDeliveries } from '../settling/settle.ts';
import { isFirstSuccess, settleFirstSuccesses } from '../settling/settle-first.ts';
import type { Sent } from '../settling/verdict.ts';
import type { DeliverDeps } from './deps.ts';
import { attemptFields } from './report.ts';

/** How many attempts are stored together. */
const maxBatch = 100;
const settleLingerMs = 2;
/** How long an attempt leased by numbering may wait for others: nothing waits for its row. */
const patientLingerMs = 10;
/** How long an outcome that cannot be stored is kept: its lease expires then. */
const rememberMs = 25_000;

/**
 * Stores the outcome of an attempt, retrying until it succeeds.
 * @param waitedFor a caller waits until it is stored
 */
export type Store = (sent: Sent, waitedFor: boolean) => Promise<void>;

/**
 * Creates the store of a process, which stores outcomes that arrive together in one transaction.
 * @param underWay counts the attempts in progress
 */
export function createStore(
  deps: Pick<DeliverDeps, 'database' | 'retrySchedule' | 'logger'>,
  underWay: () => number,
): Store {
  // While others are in progress, a short wait stores many outcomes in one round.
  const lingerMs = (waiting: number) => (underWay() > waiting ? settleLingerMs : 0);
  const storeAll = async (sent: Sent[]): Promise<undefined[]> => {
    if (!sent.every(isFirstSuccess) || !(await settleFirstSuccesses(deps.database, sent))) {
      await inTransaction(deps.database, (tx) => settleDeliveries(tx, sent, deps.retrySchedule));
    }
    return sent.map(() => undefined);
  };
  const storeSoon = inRounds({ max: maxBatch, rounds: 2, lingerMs }, storeAll);
  const storePatiently = inRounds(
    { max: maxBatch, rounds: 2, lingerMs: () => patientLingerMs },
    storeAll,
  );

  return async (sent, waitedFor) => {
    const store = waitedFor || !isFirstSuccess(sent) ? storeSoon : storePatiently;
    const end = performance.now() + rememberMs;
    for (let alone = false; ; ) {
      try {
        if (!alone) await store(sent);
        else {
          await inTransaction(deps.database, (tx) =>
            settleDeliveries(tx, [sent], deps.retrySchedule),
          );
        }
        return;
      } catch (error) {
        const fields = attemptFields(sent.delivery);
        deps.logger.warn({ err: error, ...fields }, 'could not store an attempt; retrying');
        if (performance.now() > end) return;
        // An outcome that cannot be stored, or not while a row is locked, must not hold back the others
        // in its batch.
        const parts: boolean = !alone && /^(2[23]|55P03)/.test(String(faultOf(error).code));
        alone ||= parts;
        await delay(parts ? 0 : 500);
      }
    }
  };
}
