import { inTransaction } from '../../../db/transaction.ts';
import { gather } from '../../../outbox/gather.ts';
import { releaseEndpoints } from '../../relay/hand-over.ts';
import type { SenderRoom } from '../../relay/lease-ahead.ts';
import { judgeExchange } from '../settling/verdict.ts';
import { type ClaimedDelivery, claimDeliveries, claimInOnePacket } from './claim.ts';
import { counter } from './counter.ts';
import type { DeliverDeps } from './deps.ts';
import { post } from './post.ts';
import { createStore } from './store.ts';
import { attemptFields, tellOf } from './tell.ts';
import { createWaits } from './waiting.ts';

/** How many attempts a process makes at once; further ones wait. */
const mostOpen = 1_000;
/** How many attempts of one endpoint a claim begins. */
const mostPerClaim = 50;
/** How long an endpoint may hold its worker's slot; slower attempts continue without it. */
const sliceMs = 1_000;

/** Delivers webhooks for a process. Endpoints served at the same time share round trips. */
export interface Courier {
  /**
   * Sends what is due to an endpoint, as fast as its limits allow, for a second at most; attempts
   * in progress then continue in the background.
   * @returns how many attempts began, and whether time ran out while more may wait
   */
  serve(endpointId: string): Promise<{ begun: number; more: boolean }>;
  /**
   * Sends deliveries that are already claimed.
   * @param answered is called for each once its receiver has answered: the endpoint has room again
   * @returns once all of them are stored
   */
  deliver(
    claimed: readonly ClaimedDelivery[],
    answered: (delivery: ClaimedDelivery) => void,
  ): Promise<void>;
  /** How many attempts numbering may lease to this process. */
  room(): SenderRoom;
  /** How many attempts are in progress. */
  open(): number;
  /** Resolves when none is. */
  idle(): Promise<void>;
}

/** Creates the courier of a process. */
export function createCourier(deps: DeliverDeps): Courier {
  const everything = counter();
  /** Deliveries that succeeded but are not stored yet: they take no room at their receiver. */
  const unstored = new Set<ClaimedDelivery>();

  /**
   * Ends what is due to endpoints that are gone or disabled; after a failure the next hint does it.
   */
  const end = async (ids: string[]): Promise<void> => {
    try {
      await inTransaction(deps.database, (tx) => claimDeliveries(tx, ids, 0));
    } catch (error) {
      deps.logger.warn({ err: error }, 'could not end deliveries to removed or disabled endpoints');
    }
  };
  /** Claims; after a failure the endpoints may be handed over again at once. */
  const claimOrDismiss = async (ids: string[], most: number) => {
    const succeeded = [...unstored].filter(({ endpoint }) => ids.includes(endpoint.id));
    try {
      const { ended, ...taken } = await claimInOnePacket(deps.database, ids, most, succeeded);
      if (ended.length > 0) await end(ended);
      return taken;
    } catch (error) {
      // While Postgres is down the sweeper does it.
      await inTransaction(deps.database, (tx) => releaseEndpoints(tx, ids)).catch(() => undefined);
      throw error;
    }
  };
  const claim = gather({ most: mostPerClaim, rounds: 2 }, async (endpointIds: string[]) => {
    const wanted = [...new Set(endpointIds)];
    // Each gets an equal share of the room, which others may have filled meanwhile.
    const room = Math.max(0, mostOpen - everything.count());
    const most = Math.min(mostPerClaim, Math.floor(room / wanted.length));
    const { claimed, drained } = await claimOrDismiss(wanted, most);
    return endpointIds.map((id, at) => ({
      // A second request for the same endpoint finds it served.
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
    // An ordinary success records no events; anything else may.
    const instructed = result.outcome === 'answered' && result.instruction !== undefined;
    if (!succeeded || instructed) deps.wake();
  };

  /**
   * Makes an attempt; resolves when it is stored, or lost.
   * @param waitedFor a caller waits until it is stored
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
      deps.logger.error(
        { err: error, ...attemptFields(delivery) },
        'lost the outcome of an attempt',
      );
    } finally {
      done();
    }
  };

  return {
    open: everything.count,
    idle: () => everything.atMost(0, Number.POSITIVE_INFINITY),
    room: () => ({
      // Deliveries claimed by hints meanwhile have room as well.
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
          // A lost attempt has no answer to wait for.
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
        // A full process takes nothing on.
        await everything.atMost(mostOpen - mostPerClaim, Number.POSITIVE_INFINITY);
        const { claimed, drained } = await claim(endpointId);
        for (const delivery of claimed) {
          void begin(delivery, unanswered.enter(), true).finally(own.enter());
        }
        begun += claimed.length;
        if (own.count() === 0) return { begun, more: false };
        // Claiming pays once half of them are answered; with nothing to claim, the outcome of the
        // last ones may change that.
        const half = Math.floor(claimed.length / 2);
        if (half > 0) await unanswered.atMost(half, end - performance.now());
        else await own.atMost(0, end - performance.now());
        // After a claim that left nothing, a read costs less than an empty claim. Deliveries that
        // became due since are called or hinted for separately, unless they found no room beside
        // these.
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
