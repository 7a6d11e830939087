import { setTimeout as delay } from 'node:timers/promises';
import { errorFieldsOf } from '../../../db/errors.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { batchCalls } from '../../../outbox/rounds.ts';
import type { DialResult } from '../../dialing/dial.ts';
import { composeMessage, openHeaders, openSecrets } from '../../message.ts';
import type { SigningKey } from '../../sign.ts';
import { settleDeliveries } from '../settling/settle.ts';
import { isFirstSuccess, settleFirstSuccesses } from '../settling/settle-first.ts';
import { judgeExchange, type SentAttempt } from '../settling/verdict.ts';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim.ts';
import type { DeliverDeps } from './deps.ts';
import { attemptFields, reportAttempt } from './report.ts';

/** The attempts that a process is making. */
export interface Attempts {
  /**
   * Makes an attempt; resolves when its outcome is stored or lost.
   * @param onAnswered called once the receiver has responded; not called if the attempt is lost
   * @param isAwaited whether a caller waits until it is stored
   */
  begin(delivery: ClaimedDelivery, onAnswered: () => void, isAwaited: boolean): Promise<void>;
  /** The number of attempts in progress. */
  readonly open: Counter;
  /**
   * Deliveries that succeeded but are not stored yet: they do not count towards their receiver's
   * limit.
   */
  readonly unstored: ReadonlySet<ClaimedDelivery>;
}

/** Creates the attempts of a process. */
export function createAttempts(deps: DeliverDeps): Attempts {
  const open = createCounter();
  const unstored = new Set<ClaimedDelivery>();
  const storeOutcome = createOutcomeStore(deps, open.count);

  const send = async (
    delivery: ClaimedDelivery,
    onAnswered: () => void,
    isAwaited: boolean,
  ): Promise<void> => {
    const report = reportAttempt(deps, delivery);
    const result = await post(deps, delivery);
    const { succeeded } = judgeExchange(result);
    report(result);
    if (succeeded) unstored.add(delivery);
    onAnswered();
    deps.observeAttempt({
      outcome: succeeded ? 'succeeded' : 'failed',
      trigger: delivery.trigger,
      seconds: (result.timings?.total ?? 0) / 1_000,
      lagSeconds: delivery.attempt === 1 ? delivery.lagSeconds : null,
    });
    await storeOutcome({ delivery, result }, isAwaited);
    unstored.delete(delivery);
    // An ordinary success records no events; anything else may.
    const instructed = result.outcome === 'answered' && result.instruction !== undefined;
    if (!succeeded || instructed) deps.wake();
  };

  return {
    open,
    unstored,
    async begin(delivery, onAnswered, isAwaited) {
      const leave = open.enter();
      try {
        await send(delivery, onAnswered, isAwaited);
      } catch (error) {
        deps.logger.error(
          { err: error, ...attemptFields(delivery) },
          'lost the outcome of an attempt',
        );
      } finally {
        leave();
      }
    },
  };
}

/** The deadline of the whole exchange with a receiver, including the body. */
export const deliveryDeadlineMs = 15_000;

/** The opened secrets of endpoints, opened once for all deliveries of a claim. */
const openedEndpoints = new WeakMap<
  ClaimedEndpoint,
  { headers: Record<string, string>; secrets: SigningKey[] }
>();

/** Signs a delivery and posts it. */
async function post(
  deps: Pick<DeliverDeps, 'dialer' | 'unseal'>,
  delivery: ClaimedDelivery,
): Promise<DialResult> {
  const { endpoint } = delivery;
  let own = openedEndpoints.get(endpoint);
  if (!own) {
    own = {
      headers: openHeaders(deps.unseal, endpoint.id, endpoint.headers),
      secrets: openSecrets(deps.unseal, endpoint.id, endpoint.secrets),
    };
    openedEndpoints.set(endpoint, own);
  }
  const message = composeMessage(
    { payload: endpoint.payload, headers: own.headers },
    { ...delivery, secrets: own.secrets },
  );
  return deps.dialer.post({
    url: endpoint.url,
    ...message,
    sender: endpoint.id,
    deadlineMs: deliveryDeadlineMs,
  });
}

/** Maximum number of attempts that are stored together. */
const maxBatch = 100;
const settleLingerMs = 2;
/** How long the outcome of an attempt that no caller awaits may wait for others. */
const unawaitedLingerMs = 10;
/** How long storing an outcome is retried; its lease expires soon afterwards. */
const maxRetryMs = 25_000;

/**
 * Stores the outcome of an attempt, retrying until it succeeds.
 * @param waitedFor a caller waits until it is stored
 */
export type StoreOutcome = (sent: SentAttempt, isAwaited: boolean) => Promise<void>;

/**
 * Creates the store of a process, which stores outcomes that arrive together in one transaction.
 * @param openCount returns the number of attempts in progress
 */
export function createOutcomeStore(
  deps: Pick<DeliverDeps, 'database' | 'retrySchedule' | 'logger'>,
  openCount: () => number,
): StoreOutcome {
  // While others are in progress, a short wait allows many outcomes to be stored in one round.
  const lingerMs = (waiting: number) => (openCount() > waiting ? settleLingerMs : 0);
  const storeAll = async (sent: SentAttempt[]): Promise<undefined[]> => {
    if (!sent.every(isFirstSuccess) || !(await settleFirstSuccesses(deps.database, sent))) {
      await inTransaction(deps.database, (tx) => settleDeliveries(tx, sent, deps.retrySchedule));
    }
    return sent.map(() => undefined);
  };
  const storeAwaited = batchCalls({ max: maxBatch, rounds: 2, lingerMs }, storeAll);
  const storeUnawaited = batchCalls(
    { max: maxBatch, rounds: 2, lingerMs: () => unawaitedLingerMs },
    storeAll,
  );

  return async (sent, isAwaited) => {
    const store = isAwaited || !isFirstSuccess(sent) ? storeAwaited : storeUnawaited;
    const end = performance.now() + maxRetryMs;
    for (let isAlone = false; ; ) {
      try {
        if (!isAlone) await store(sent);
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
        // An outcome that cannot be stored, or only once a lock is released, must not delay the
        // others in its batch.
        const mustSeparate: boolean =
          !isAlone && /^(2[23]|55P03)/.test(String(errorFieldsOf(error).code));
        isAlone ||= mustSeparate;
        await delay(mustSeparate ? 0 : 500);
      }
    }
  };
}

interface Counter {
  count(): number;
  /** Increases the count; the returned function decreases it. */
  enter(): () => void;
  /** Resolves when the count is at most this, or after this many milliseconds. */
  waitForAtMost(max: number, limitMs: number): Promise<void>;
}

/** Counts attempts in progress, for callers that wait until there are fewer. */
export function createCounter(): Counter {
  let current = 0;
  let waiting: { max: number; resolve: () => void }[] = [];
  return {
    count: () => current,
    enter() {
      current += 1;
      return () => {
        current -= 1;
        const ready = waiting.filter(({ max }) => current <= max);
        if (ready.length === 0) return;
        waiting = waiting.filter(({ max }) => current > max);
        for (const { resolve } of ready) resolve();
      };
    },
    waitForAtMost(max, limitMs) {
      if (current <= max || limitMs <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const entry = {
          max,
          resolve() {
            clearTimeout(timer);
            resolve();
          },
        };
        waiting.push(entry);
        if (limitMs === Number.POSITIVE_INFINITY) return;
        timer = setTimeout(() => {
          waiting = waiting.filter((other) => other !== entry);
          resolve();
        }, limitMs);
      });
    },
  };
}
