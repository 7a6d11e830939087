import { setTimeout as delay } from 'node:timers/promises';
import { faultOf } from '../../../db/faults.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { inRounds } from '../../../outbox/rounds.ts';
import type { DialResult } from '../../dialing/dial.ts';
import { composeMessage, openHeaders, openSecrets } from '../../message.ts';
import type { SigningKey } from '../../sign.ts';
import { settleDeliveries } from '../settling/settle.ts';
import { isFirstSuccess, settleFirstSuccesses } from '../settling/settle-first.ts';
import { judgeExchange, type Sent } from '../settling/verdict.ts';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim.ts';
import type { DeliverDeps } from './deps.ts';
import { attemptFields, reportAttempt } from './report.ts';

/** The attempts that a process is making. */
export interface Attempts {
  /**
   * Makes an attempt; resolves when it is stored, or lost.
   * @param answered is called once the receiver has answered, or never
   * @param waitedFor whether a caller waits until it is stored
   */
  begin(delivery: ClaimedDelivery, answered: () => void, waitedFor: boolean): Promise<void>;
  /** Those in progress. */
  readonly open: Counter;
  /**
   * Deliveries that succeeded but are not stored yet: they do not count towards their receiver's
   * limit.
   */
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

/** The deadline of the whole exchange with a receiver, including the body. */
export const deliveryDeadlineMs = 15_000;

/** The opened values of an endpoint, opened once for all deliveries of a claim. */
const opened = new WeakMap<
  ClaimedEndpoint,
  { headers: Record<string, string>; secrets: SigningKey[] }
>();

/** Signs a delivery and posts it. */
async function post(
  deps: Pick<DeliverDeps, 'dialer' | 'unseal'>,
  delivery: ClaimedDelivery,
): Promise<DialResult> {
  const { endpoint } = delivery;
  let own = opened.get(endpoint);
  if (!own) {
    own = {
      headers: openHeaders(deps.unseal, endpoint.id, endpoint.headers),
      secrets: openSecrets(deps.unseal, endpoint.id, endpoint.secrets),
    };
    opened.set(endpoint, own);
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

/** How many attempts are stored together. */
const maxBatch = 100;
const settleLingerMs = 2;
/** How long an attempt leased by numbering may wait for others: nothing waits for its row. */
const patientLingerMs = 10;
/** How long an outcome that cannot be stored is kept: by then its lease expires. */
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
  // While others are in progress, a short wait allows many outcomes to be stored in one round.
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
        // An outcome that cannot be stored, or not while a row is locked, must not delay the others
        // in its batch.
        const parts: boolean = !alone && /^(2[23]|55P03)/.test(String(faultOf(error).code));
        alone ||= parts;
        await delay(parts ? 0 : 500);
      }
    }
  };
}

interface Counter {
  count(): number;
  /** Increases the count; the returned function decreases it. */
  enter(): () => void;
  /** Resolves when the count is at most this, or after this many milliseconds. */
  atMost(wanted: number, limitMs: number): Promise<void>;
}

/** Counts attempts in progress, for callers that wait until there are fewer. */
export function counter(): Counter {
  let inside = 0;
  let waiting: { wanted: number; resolve: () => void }[] = [];
  return {
    count: () => inside,
    enter() {
      inside += 1;
      return () => {
        inside -= 1;
        const ready = waiting.filter(({ wanted }) => inside <= wanted);
        if (ready.length === 0) return;
        waiting = waiting.filter(({ wanted }) => inside > wanted);
        for (const { resolve } of ready) resolve();
      };
    },
    atMost(wanted, limitMs) {
      if (inside <= wanted || limitMs <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        const entry = {
          wanted,
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
