import type { Database } from '../../../db/database.ts';
import { byKey, waitsBriefly } from '../../../db/statements/rows.ts';
import { inReadTransaction, inTransaction, prepared, send } from '../../../db/transaction.ts';
import { inRounds } from '../../../outbox/rounds.ts';
import { releaseEndpoints } from '../../relay/hand-over.ts';
import type { SenderRoom } from '../../relay/lease-ahead-queries.ts';
import { counter, createAttempts } from './attempts.ts';
import { type ClaimedDelivery, claimDeliveries, claimInOnePacket } from './claim.ts';
import type { DeliverDeps } from './deps.ts';

/** Maximum number of concurrent attempts in a process; further ones wait. */
const maxOpen = 1_000;
/** How long an endpoint may occupy its worker's slot; slower attempts continue without it. */
const sliceMs = 1_000;

/** Delivers webhooks for a process. Endpoints served at the same time share round trips. */
export interface Courier {
  /**
   * Sends an endpoint's due deliveries, as fast as its limits allow, for at most a second; attempts
   * in progress then continue in the background.
   * @returns how many attempts began, and whether time ran out while more may be waiting
   */
  serve(endpointId: string): Promise<{ begun: number; more: boolean }>;
  /**
   * Sends deliveries that are already claimed.
   * @param answered is called for each delivery once its receiver has answered, when the endpoint
   *   has room again
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
  /** Resolves when no attempt is in progress. */
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
      // Leaves room for deliveries claimed by hints meanwhile.
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
        // A process at its maximum does not start more attempts.
        await open.atMost(maxOpen - maxPerClaim, Number.POSITIVE_INFINITY);
        const { claimed, drained } = await claim(endpointId);
        for (const delivery of claimed) {
          void begin(delivery, unanswered.enter(), true).finally(own.enter());
        }
        begun += claimed.length;
        if (own.count() === 0) return { begun, more: false };
        // Claiming again is worthwhile once half of them are answered; if there was nothing to
        // claim, the outcome of the last ones may change that.
        const half = Math.floor(claimed.length / 2);
        if (half > 0) await unanswered.atMost(half, end - performance.now());
        else await own.atMost(0, end - performance.now());
        // After a claim that left nothing, a read is cheaper than an empty claim. Deliveries that
        // have become due since are passed on or hinted for separately, unless there was no room
        // for them beside these.
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

/** Maximum number of attempts of one endpoint that a claim begins. */
const maxPerClaim = 50;

/** The result of a claim for an endpoint: deliveries, and whether no due ones are left. */
interface Claimed {
  claimed: ClaimedDelivery[];
  drained: boolean;
}

/** Claims an endpoint's due deliveries. */
export type ClaimEndpoint = (endpointId: string) => Promise<Claimed>;

/**
 * Creates the claims of a process: endpoints that are claimed at the same time share round trips.
 * @param room how many attempts may begin
 * @param unstored deliveries that succeeded but are not stored yet: they do not count towards their
 *   receiver's limit
 */
export function createClaims(
  deps: Pick<DeliverDeps, 'database' | 'logger'>,
  room: () => number,
  unstored: ReadonlySet<ClaimedDelivery>,
): ClaimEndpoint {
  /** Claims; after a failure, the endpoints may be handed over again at once. */
  const claimOrDismiss = async (ids: string[], limit: number) => {
    const succeeded = [...unstored].filter(({ endpoint }) => ids.includes(endpoint.id));
    try {
      const { ended, ...taken } = await claimInOnePacket(deps.database, ids, limit, succeeded);
      if (ended.length > 0) await endDeliveries(deps, ended);
      return taken;
    } catch (error) {
      // Released one by one, because one of them may be locked. For a locked one, and while
      // Postgres is down, the lease expires.
      await Promise.allSettled(ids.map((id) => release(deps.database, id)));
      throw error;
    }
  };
  return inRounds({ max: maxPerClaim, rounds: 2 }, async (endpointIds: string[]) => {
    const wanted = [...new Set(endpointIds)];
    // Each endpoint gets an equal share of the room, which others may have filled meanwhile.
    const limit = Math.min(maxPerClaim, Math.floor(Math.max(0, room()) / wanted.length));
    const { claimed, drained } = await claimOrDismiss(wanted, limit);
    return endpointIds.map((id, at) => ({
      // For a second request for the same endpoint, nothing is left.
      claimed:
        endpointIds.indexOf(id) === at ? claimed.filter(({ endpoint }) => endpoint.id === id) : [],
      drained: drained.has(id),
    }));
  });
}

function release(database: Database, endpointId: string): Promise<void> {
  return inTransaction(database, (tx) => {
    send(tx, `SELECT ${waitsBriefly}`, []);
    return releaseEndpoints(tx, [endpointId]);
  });
}

/**
 * Ends a batch of the due deliveries of each of these endpoints, which are removed or disabled. The
 * next hint ends more, even after a failure.
 */
async function endDeliveries(
  { database, logger }: Pick<DeliverDeps, 'database' | 'logger'>,
  ids: string[],
): Promise<void> {
  try {
    for (const id of ids) await inTransaction(database, (tx) => claimDeliveries(tx, [id], 0));
  } catch (error) {
    logger.warn({ err: error }, 'could not end deliveries to removed or disabled endpoints');
  }
}

/** Maximum number of endpoints read together. */
const maxBatch = 50;

/** Whether an endpoint has due deliveries that no process is sending. */
type Waits = (endpoint: { id: string; projectId: string }) => Promise<boolean>;

/**
 * Creates the reader of waiting deliveries of a process. It locks and writes nothing: an empty
 * claim would keep an endpoint's flow locked until it is on disk, and numbering skips locked flows.
 */
function createWaits(database: Database): Waits {
  return inRounds<Parameters<Waits>[0], boolean>({ max: maxBatch, rounds: 2 }, async (asked) => {
    const rows = await inReadTransaction(database, (tx) => {
      byKey(tx);
      return prepared<{ id: string }>(
        tx,
        `SELECT given.id FROM unnest($1::text[], $2::text[]) AS given (project_id, id), LATERAL (
           SELECT FROM due_delivery
           WHERE project_id = given.project_id AND endpoint_id = given.id
             AND lease_until IS NULL AND due_at <= statement_timestamp() LIMIT 1) due`,
        [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id)],
      );
    });
    const waiting = new Set(rows.map(({ id }) => id));
    return asked.map(({ id }) => waiting.has(id));
  });
}
