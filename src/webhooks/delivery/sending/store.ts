import { setTimeout as delay } from 'node:timers/promises';
import { faultOf } from '../../../db/faults.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { gather } from '../../../outbox/gather.ts';
import { settleDeliveries } from '../settling/settle.ts';
import { isFirstSuccess, settleFirstSuccesses } from '../settling/settle-first.ts';
import type { Sent } from '../settling/verdict.ts';
import type { DeliverDeps } from './deliver.ts';
import { attemptFields } from './tell.ts';

/** Attempts that are stored together. */
const mostStored = 100;
const settleLingerMs = 2;
/** What numbering has leased waits for others before it is stored: nobody waits for its row. */
const patientLingerMs = 10;
/** What was sent is remembered for so long while it cannot be stored: then its lease is lost. */
const rememberMs = 25_000;

/**
 * Stores what came of an attempt, as often as it takes: what was sent must not be forgotten.
 * @param waitedFor somebody waits until it is stored
 */
export type Store = (sent: Sent, waitedFor: boolean) => Promise<void>;

/**
 * Makes the store of a process: results that arrive together are stored together.
 * @param underWay counts the attempts under way
 */
export function createStore(
  deps: Pick<DeliverDeps, 'database' | 'retrySchedule' | 'logger'>,
  underWay: () => number,
): Store {
  // While others are still under way, a moment's wait stores many results in one round.
  const lingerMs = (waiting: number) => (underWay() > waiting ? settleLingerMs : 0);
  const storeAll = async (sent: Sent[]): Promise<undefined[]> => {
    if (!sent.every(isFirstSuccess) || !(await settleFirstSuccesses(deps.database, sent))) {
      await inTransaction(deps.database, (tx) => settleDeliveries(tx, sent, deps.retrySchedule));
    }
    return sent.map(() => undefined);
  };
  const storeSoon = gather({ most: mostStored, rounds: 2, lingerMs }, storeAll);
  const storePatiently = gather(
    { most: mostStored, rounds: 2, lingerMs: () => patientLingerMs },
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
        deps.logger.warn({ err: error, ...fields }, 'an attempt could not be stored yet');
        if (performance.now() > end) return;
        // One that cannot be stored must not keep those from it that came along.
        const parts: boolean = !alone && /^2[23]/.test(String(faultOf(error).code));
        alone ||= parts;
        await delay(parts ? 0 : 500);
      }
    }
  };
}
