import type { SenderRoom } from '../../relay/lease-ahead.ts';
import { counter, createAttempts } from './attempts.ts';
import type { ClaimedDelivery } from './claim.ts';
import { createClaims, createWaits, maxPerClaim } from './claims.ts';
import type { DeliverDeps } from './deps.ts';

/** How many attempts a process makes at once; further ones wait. */
const maxOpen = 1_000;
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
  const { begin, open, unstored } = createAttempts(deps);
  const claim = createClaims(deps, () => maxOpen - open.count(), unstored);
  const waits = createWaits(deps.database);

  return {
    open: open.count,
    idle: () => open.atMost(0, Number.POSITIVE_INFINITY),
    room: () => ({
      // Deliveries claimed by hints meanwhile have room as well.
      room: Math.max(0, maxOpen - maxPerClaim - open.count()),
      answered: [...unstored],
    }),
    async deliver(claimed, answered) {
      await Promise.all(
        claimed.map(async (delivery) => {
          let reported = false;
          const report = (): void => {
            if (!reported) answered(delivery);
            reported = true;
          };
          await begin(delivery, report, false);
          // A lost attempt has no answer to wait for.
          report();
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
        await open.atMost(maxOpen - maxPerClaim, Number.POSITIVE_INFINITY);
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
