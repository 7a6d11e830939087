import type { Database } from '../../../db/database.ts';
import { planByIndex, shortLockTimeoutSql } from '../../../db/statements/rows.ts';
import { inReadTransaction, inTransaction, prepared, send } from '../../../db/transaction.ts';
import { batchCalls } from '../../../outbox/rounds.ts';
import { releaseEndpoints } from '../../relay/hand-over.ts';
import type { SenderCapacity } from '../../relay/lease-ahead-queries.ts';
import { createAttempts, createCounter } from './attempts.ts';
import { type ClaimedDelivery, claimDeliveries, claimInOnePacket } from './claim.ts';
import type { DeliverDeps } from './deps.ts';

/** Maximum number of concurrent attempts in a process; further ones wait. */
const maxOpenAttempts = 1_000;
/** How long an endpoint may occupy a slot; slower attempts continue in the background. */
const sliceMs = 1_000;

/** Delivers webhooks for a process. Endpoints served at the same time share round trips. */
export interface WebhookSender {
  /**
   * Sends an endpoint's due deliveries, as fast as its limits allow, for at most a second; attempts
   * in progress then continue in the background.
   * @returns how many attempts were started, and whether more may be waiting after the time ran out
   */
  serve(endpointId: string): Promise<{ begun: number; more: boolean }>;
  /**
   * Sends deliveries that are already claimed.
   * @param onAnswered called for each delivery once its receiver has responded, so that the endpoint
   *   can take more
   * @returns once all of them are stored
   */
  deliver(
    claimed: readonly ClaimedDelivery[],
    onAnswered: (delivery: ClaimedDelivery) => void,
  ): Promise<void>;
  /** How many attempts numbering may lease to this process. */
  capacity(): SenderCapacity;
  /** How many attempts are in progress. */
  open(): number;
  /** Resolves when no attempt is in progress. */
  idle(): Promise<void>;
}

/** Creates the sender of a process. */
export function createWebhookSender(deps: DeliverDeps): WebhookSender {
  const { begin, open, unstored } = createAttempts(deps);
  const claim = createClaimer(deps, () => maxOpenAttempts - open.count(), unstored);
  const hasDue = createDueReader(deps.database);

  return {
    open: open.count,
    idle: () => open.waitForAtMost(0, Number.POSITIVE_INFINITY),
    capacity: () => ({
      // Reserves slots for deliveries that are claimed by hints meanwhile.
      free: Math.max(0, maxOpenAttempts - maxPerClaim - open.count()),
      unstored: [...unstored],
    }),
    async deliver(claimed, onAnswered) {
      await Promise.all(
        claimed.map(async (delivery) => {
          let isReported = false;
          const report = (): void => {
            if (!isReported) onAnswered(delivery);
            isReported = true;
          };
          await begin(delivery, report, false);
          // A lost attempt has no answer to wait for.
          report();
        }),
      );
    },
    async serve(endpointId) {
      const end = performance.now() + sliceMs;
      const ownAttempts = createCounter();
      const unanswered = createCounter();
      let started = 0;
      do {
        // A process at its maximum does not start more attempts.
        await open.waitForAtMost(maxOpenAttempts - maxPerClaim, Number.POSITIVE_INFINITY);
        const { claimed, drained } = await claim(endpointId);
        for (const delivery of claimed) {
          void begin(delivery, unanswered.enter(), true).finally(ownAttempts.enter());
        }
        started += claimed.length;
        if (ownAttempts.count() === 0) return { begun: started, more: false };
        // Claiming again is worthwhile once half of them have responses; if there was nothing to
        // claim, the outcomes of the last attempts may change that.
        const half = Math.floor(claimed.length / 2);
        if (half > 0) await unanswered.waitForAtMost(half, end - performance.now());
        else await ownAttempts.waitForAtMost(0, end - performance.now());
        // After a claim that left nothing, a read is cheaper than an empty claim. Deliveries that
        // have become due since are dispatched or hinted separately, unless these attempts used up
        // the limits of the endpoint.
        const { endpoint } = claimed[0] ?? {};
        if (!drained || !endpoint) continue;
        const areAllStored = ownAttempts.count() === 0;
        if (await hasDue(endpoint)) continue;
        if (areAllStored) return { begun: started, more: false };
        await ownAttempts.waitForAtMost(0, end - performance.now());
        if (ownAttempts.count() === 0 && !(await hasDue(endpoint)))
          return { begun: started, more: false };
      } while (performance.now() < end);
      return { begun: started, more: true };
    },
  };
}

/** Maximum number of attempts of one endpoint that a claim begins. */
const maxPerClaim = 50;

/** The result of a claim for an endpoint: deliveries, and whether no due ones are left. */
interface ClaimResult {
  claimed: ClaimedDelivery[];
  drained: boolean;
}

/** Claims an endpoint's due deliveries. */
export type ClaimEndpoint = (endpointId: string) => Promise<ClaimResult>;

/**
 * Creates the claims of a process: endpoints that are claimed at the same time share round trips.
 * @param freeSlots returns how many attempts may begin
 * @param unstored deliveries that succeeded but are not stored yet: they do not count towards their
 *   receiver's limit
 */
export function createClaimer(
  deps: Pick<DeliverDeps, 'database' | 'logger'>,
  freeSlots: () => number,
  unstored: ReadonlySet<ClaimedDelivery>,
): ClaimEndpoint {
  /** Claims; after a failure, releases the endpoints so that they can be handed over again. */
  const claimOrRelease = async (ids: string[], limit: number) => {
    const succeeded = [...unstored].filter(({ endpoint }) => ids.includes(endpoint.id));
    try {
      const { ended, ...result } = await claimInOnePacket(deps.database, ids, limit, succeeded);
      if (ended.length > 0) await endDeliveries(deps, ended);
      return result;
    } catch (error) {
      // Released one by one, because one of them may be locked. For a locked one, and while
      // Postgres is down, the lease expires.
      await Promise.allSettled(ids.map((id) => release(deps.database, id)));
      throw error;
    }
  };
  return batchCalls({ max: maxPerClaim, rounds: 2 }, async (endpointIds: string[]) => {
    const uniqueIds = [...new Set(endpointIds)];
    // Each endpoint gets an equal share of the free slots, which others may have taken meanwhile.
    const limit = Math.min(maxPerClaim, Math.floor(Math.max(0, freeSlots()) / uniqueIds.length));
    const { claimed, drained } = await claimOrRelease(uniqueIds, limit);
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
    send(tx, `SELECT ${shortLockTimeoutSql}`, []);
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
type HasDue = (endpoint: { id: string; projectId: string }) => Promise<boolean>;

/**
 * Creates a function that checks endpoints for due deliveries without locks or writes: an empty claim
 * would lock the flow until it is committed to disk, and numbering skips locked flows.
 */
function createDueReader(database: Database): HasDue {
  return batchCalls<Parameters<HasDue>[0], boolean>(
    { max: maxBatch, rounds: 2 },
    async (endpoints) => {
      const rows = await inReadTransaction(database, (tx) => {
        planByIndex(tx);
        return prepared<{ id: string }>(
          tx,
          `SELECT given.id FROM unnest($1::text[], $2::text[]) AS given (project_id, id), LATERAL (
           SELECT FROM due_delivery
           WHERE project_id = given.project_id AND endpoint_id = given.id
             AND lease_until IS NULL AND due_at <= statement_timestamp() LIMIT 1) due`,
          [endpoints.map(({ projectId }) => projectId), endpoints.map(({ id }) => id)],
        );
      });
      const waiting = new Set(rows.map(({ id }) => id));
      return endpoints.map(({ id }) => waiting.has(id));
    },
  );
}
