import type { Database } from '../../../db/database.ts';
import {
  byKey,
  inReadTransaction,
  inTransaction,
  prepared,
  send,
  waitsBriefly,
} from '../../../db/transaction.ts';
import { inRounds } from '../../../outbox/rounds.ts';
import { releaseEndpoints } from '../../relay/hand-over.ts';
import { type ClaimedDelivery, claimDeliveries, claimInOnePacket } from './claim.ts';
import type { DeliverDeps } from './deps.ts';

/** How many attempts of one endpoint a claim begins. */
export const maxPerClaim = 50;

/** What a claim found for an endpoint: deliveries, and whether it left nothing due. */
interface Claimed {
  claimed: ClaimedDelivery[];
  drained: boolean;
}

/** Claims what is due to an endpoint. */
export type ClaimEndpoint = (endpointId: string) => Promise<Claimed>;

/**
 * Creates the claims of a process: endpoints that are claimed at the same time share round trips.
 * @param room how many attempts may begin
 * @param unstored deliveries that succeeded but are not stored yet: they take no room at their
 *   receiver
 */
export function createClaims(
  deps: Pick<DeliverDeps, 'database' | 'logger'>,
  room: () => number,
  unstored: ReadonlySet<ClaimedDelivery>,
): ClaimEndpoint {
  /** Claims; after a failure the endpoints may be handed over again at once. */
  const claimOrDismiss = async (ids: string[], limit: number) => {
    const succeeded = [...unstored].filter(({ endpoint }) => ids.includes(endpoint.id));
    try {
      const { ended, ...taken } = await claimInOnePacket(deps.database, ids, limit, succeeded);
      if (ended.length > 0) await endDeliveries(deps, ended);
      return taken;
    } catch (error) {
      // Each alone, because one may be locked. For that one, and while Postgres is down, the
      // lease expires.
      await Promise.allSettled(ids.map((id) => release(deps.database, id)));
      throw error;
    }
  };
  return inRounds({ max: maxPerClaim, rounds: 2 }, async (endpointIds: string[]) => {
    const wanted = [...new Set(endpointIds)];
    // Each gets an equal share of the room, which others may have filled meanwhile.
    const limit = Math.min(maxPerClaim, Math.floor(Math.max(0, room()) / wanted.length));
    const { claimed, drained } = await claimOrDismiss(wanted, limit);
    return endpointIds.map((id, at) => ({
      // A second request for the same endpoint finds it served.
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
 * Ends a batch of what is due to each of these endpoints, which are removed or disabled. The next hint
 * ends more, also after a failure.
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

/** How many endpoints are read together. */
const maxBatch = 50;

/** Whether an endpoint has due deliveries that no process is sending. */
export type Waits = (endpoint: { id: string; projectId: string }) => Promise<boolean>;

/**
 * Creates the reader of waiting deliveries of a process. It locks and writes nothing: an empty
 * claim would keep an endpoint's flow locked until it is on disk, and numbering skips locked flows.
 */
export function createWaits(database: Database): Waits {
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
