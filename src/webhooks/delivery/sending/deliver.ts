import type { OpenSealed } from '../../../contracts/sealed.ts';
import type { Database } from '../../../db/database.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Logger } from '../../../logger.ts';
import { gather } from '../../../outbox/gather.ts';
import { releaseEndpoints } from '../../../outbox/relay/hand-over-endpoints.ts';
import type { SenderRoom } from '../../../outbox/relay/lease-ahead.ts';
import type { Tracing } from '../../../tracing.ts';
import type { Dialer } from '../../dialing/dial.ts';
import { judgeExchange } from '../settling/verdict.ts';
import { type ClaimedDelivery, claimDeliveries, claimInOnePacket } from './claim.ts';
import { counter } from './counter.ts';
import { post } from './post.ts';
import { createStore } from './store.ts';
import { attemptFields, tellOf } from './tell.ts';
import { createWaits } from './waiting.ts';

/** Attempts under way at once in a process; who wants to begin more waits. */
const mostOpen = 1_000;
/** Attempts of one endpoint that one claim begins. */
const mostPerClaim = 50;
/** An endpoint has its worker's slot for so long at a time: what is slower goes on without it. */
const sliceMs = 1_000;

/** What is told of every attempt, for figures. */
export interface AttemptFact {
  outcome: 'succeeded' | 'failed';
  trigger: ClaimedDelivery['trigger'];
  seconds: number;
  /** Of the first attempt: for how long its event had been there. */
  lagSeconds: number | null;
}

export interface DeliverDeps {
  database: Database;
  dialer: Pick<Dialer, 'post'>;
  /** Opens what `SECRET_KEY` sealed. */
  unseal: OpenSealed;
  /** Seconds before each attempt. */
  retrySchedule: readonly number[];
  observeAttempt: (fact: AttemptFact) => void;
  /** Rung when a relay has something to see: what came of a failure. */
  wake: () => void;
  logger: Logger;
  tracing: Tracing;
}

/** Delivers for a process: whoever serves endpoints at the same time shares its round trips. */
export interface Courier {
  /**
   * Sends what is due to an endpoint, as fast as it may be, for a second at most; what is under way
   * then goes on behind.
   * @returns how many attempts were begun, and whether its time was up while more may wait
   */
  serve(endpointId: string): Promise<{ begun: number; more: boolean }>;
  /**
   * Sends what is claimed already.
   * @param answered is told of each when its receiver has answered: the endpoint has room again
   * @returns when all of it is stored
   */
  deliver(
    claimed: readonly ClaimedDelivery[],
    answered: (delivery: ClaimedDelivery) => void,
  ): Promise<void>;
  /** What numbering may lease to this process. */
  room(): SenderRoom;
  /** How many attempts are under way. */
  open(): number;
  /** Resolves when none is. */
  idle(): Promise<void>;
}

/** Makes the courier of a process. */
export function createCourier(deps: DeliverDeps): Courier {
  const everything = counter();
  /** What was answered well and is not stored yet: it needs no room at its receiver any more. */
  const unstored = new Set<ClaimedDelivery>();

  /** Ends what is due to endpoints that are gone or disabled; who fails at it leaves it to the next hint. */
  const end = async (ids: string[]): Promise<void> => {
    try {
      await inTransaction(deps.database, (tx) => claimDeliveries(tx, ids, 0));
    } catch (error) {
      deps.logger.warn({ err: error }, 'what is due to nobody could not be ended yet');
    }
  };
  /** Claims; where that fails, what was handed over may be handed over again at once. */
  const claimOrDismiss = async (ids: string[], most: number) => {
    const succeeded = [...unstored].filter(({ endpoint }) => ids.includes(endpoint.id));
    try {
      const { ended, ...taken } = await claimInOnePacket(deps.database, ids, most, succeeded);
      if (ended.length > 0) await end(ended);
      return taken;
    } catch (error) {
      // While Postgres itself is away the sweeper does it.
      await inTransaction(deps.database, (tx) => releaseEndpoints(tx, ids)).catch(() => undefined);
      throw error;
    }
  };
  const claim = gather({ most: mostPerClaim, rounds: 2 }, async (endpointIds: string[]) => {
    const wanted = [...new Set(endpointIds)];
    // Each gets an equal part of the room there is; others may have filled it since they asked.
    const room = Math.max(0, mostOpen - everything.count());
    const most = Math.min(mostPerClaim, Math.floor(room / wanted.length));
    const { claimed, drained } = await claimOrDismiss(wanted, most);
    return endpointIds.map((id, at) => ({
      // Who asked second for the same endpoint finds it served.
      claimed:
        endpointIds.indexOf(id) === at ? claimed.filter(({ endpoint }) => endpoint.id === id) : [],
      drained: drained.has(id),
    }));
  });
  const waits = createWaits(deps.database);

  const settle = createStore(deps, everything.count);

  const send = async (
    delivery: ClaimedDelivery,
    answered: () => void,
    waitedFor: boolean,
  ): Promise<void> => {
    const told = tellOf(deps, delivery);
    const result = await post(deps, delivery);
    const { succeeded } = judgeExchange(result);
    told(result);
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
    // An ordinary success records no events; whatever else came may have.
    const instructed = result.outcome === 'answered' && result.instruction !== undefined;
    if (!succeeded || instructed) deps.wake();
  };

  /**
   * Makes an attempt; resolves when it is stored, or lost.
   * @param waitedFor somebody waits until it is stored
   */
  const begin = async (
    delivery: ClaimedDelivery,
    answered: () => void,
    waitedFor: boolean,
  ): Promise<void> => {
    const done = everything.enter();
    try {
      await send(delivery, answered, waitedFor);
    } catch (error) {
      deps.logger.error({ err: error, ...attemptFields(delivery) }, 'an attempt was lost');
    } finally {
      done();
    }
  };

  return {
    open: everything.count,
    idle: () => everything.atMost(0, Number.POSITIVE_INFINITY),
    room: () => ({
      // What is claimed by hints meanwhile has room as well.
      room: Math.max(0, mostOpen - mostPerClaim - everything.count()),
      answered: [...unstored],
    }),
    async deliver(claimed, answered) {
      await Promise.all(
        claimed.map(async (delivery) => {
          let told = false;
          const tell = (): void => {
            if (!told) answered(delivery);
            told = true;
          };
          await begin(delivery, tell, false);
          // One that was lost has no answer to wait for.
          tell();
        }),
      );
    },
    async serve(endpointId) {
      const end = performance.now() + sliceMs;
      const own = counter();
      const unanswered = counter();
      let begun = 0;
      do {
        // A process that is full takes nothing on.
        await everything.atMost(mostOpen - mostPerClaim, Number.POSITIVE_INFINITY);
        const { claimed, drained } = await claim(endpointId);
        for (const delivery of claimed) {
          void begin(delivery, unanswered.enter(), true).finally(own.enter());
        }
        begun += claimed.length;
        if (own.count() === 0) return { begun, more: false };
        // When half of them are answered it pays to claim more; when there is nothing to claim, what
        // comes of the last of them may change that.
        const half = Math.floor(claimed.length / 2);
        if (half > 0) await unanswered.atMost(half, end - performance.now());
        else await own.atMost(0, end - performance.now());
        // Behind a claim that left nothing, a look costs less than a claim of nothing. What has become
        // due since is called or hinted for by itself, unless it found no room beside these.
        const { endpoint } = claimed[0] ?? {};
        if (!drained || !endpoint) continue;
        const stored = own.count() === 0;
        if (await waits(endpoint)) continue;
        if (stored) return { begun, more: false };
        await own.atMost(0, end - performance.now());
        if (own.count() === 0 && !(await waits(endpoint))) return { begun, more: false };
      } while (performance.now() < end);
      return { begun, more: true };
    },
  };
}
