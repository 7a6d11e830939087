import { judgeExchange } from '../settling/verdict.ts';
import type { ClaimedDelivery } from './claim.ts';
import { type Counter, counter } from './counter.ts';
import type { DeliverDeps } from './deps.ts';
import { post } from './post.ts';
import { attemptFields, reportAttempt } from './report.ts';
import { createStore } from './store.ts';

/** The attempts that a process is making. */
export interface Attempts {
  /**
   * Makes an attempt; resolves when it is stored, or lost.
   * @param answered is called once the receiver has answered, or never
   * @param waitedFor a caller waits until it is stored
   */
  begin(delivery: ClaimedDelivery, answered: () => void, waitedFor: boolean): Promise<void>;
  /** Those in progress. */
  readonly open: Counter;
  /** Deliveries that succeeded but are not stored yet: they take no room at their receiver. */
  readonly unstored: ReadonlySet<ClaimedDelivery>;
}

/** Creates the attempts of a process. */
export function createAttempts(deps: DeliverDeps): Attempts {
  const open = counter();
  const unstored = new Set<ClaimedDelivery>();
  const settle = createStore(deps, open.count);

  const send = async (
    delivery: ClaimedDelivery,
    answered: () => void,
    waitedFor: boolean,
  ): Promise<void> => {
    const report = reportAttempt(deps, delivery);
    const result = await post(deps, delivery);
    const { succeeded } = judgeExchange(result);
    report(result);
    if (succeeded) unstored.add(delivery);
    answered();
    deps.observeAttempt({
      outcome: succeeded ? 'succeeded' : 'failed',
      trigger: delivery.trigger,
      seconds: (result.timings?.total ?? 0) / 1_000,
      lagSeconds: delivery.attempt === 1 ? delivery.lagSeconds : null,
    });
    await settle({ delivery, result }, waitedFor);
    unstored.delete(delivery);
    // An ordinary success records no events; anything else may.
    const instructed = result.outcome === 'answered' && result.instruction !== undefined;
    if (!succeeded || instructed) deps.wake();
  };

  return {
    open,
    unstored,
    async begin(delivery, answered, waitedFor) {
      const done = open.enter();
      try {
        await send(delivery, answered, waitedFor);
      } catch (error) {
        deps.logger.error(
          { err: error, ...attemptFields(delivery) },
          'lost the outcome of an attempt',
        );
      } finally {
        done();
      }
    },
  };
}
