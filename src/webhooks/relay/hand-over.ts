import type { Database } from '../../db/database.ts';
import { shortLockTimeoutSql } from '../../db/statements/rows.ts';
import { inOnePacket, prepared, send, type Tx } from '../../db/transaction.ts';
import { hintsPerSlot, isPausedSql, liveSlotsSql } from '../../outbox/pause.ts';
import type { EndpointQueue, HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import { currentTokensSql } from '../delivery/flow-limits.ts';

// The recursive query skips from endpoint to endpoint along the index, so that an endpoint with a
// hundred thousand deliveries costs no more than one with a single delivery.
const claimStatement = `
  WITH RECURSIVE waiting AS (
    (SELECT project_id, endpoint_id FROM due_delivery WHERE lease_until IS NULL
     ORDER BY project_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.project_id, n.endpoint_id FROM waiting w, LATERAL (
      SELECT d.project_id, d.endpoint_id FROM due_delivery d
      WHERE d.lease_until IS NULL AND (d.project_id, d.endpoint_id) > (w.project_id, w.endpoint_id)
      ORDER BY d.project_id, d.endpoint_id LIMIT 1) n
  ), ready AS (
    -- An endpoint that is removed or disabled is handed over too: its worker ends the remaining
    -- deliveries.
    SELECT w.endpoint_id, f.endpoint_id IS NOT NULL AS known, d.due_at,
      row_number() OVER (PARTITION BY w.project_id ORDER BY d.due_at) AS turn
    FROM waiting w
    LEFT JOIN webhook_endpoint e ON e.id = w.endpoint_id
    LEFT JOIN webhook_flow f ON f.endpoint_id = w.endpoint_id,
    LATERAL (
      SELECT d.due_at FROM unnest(CASE WHEN f.held_until > now() THEN '{0,1}' ELSE '{0,1,2,3}' END::smallint[])
        AS lane (n), LATERAL (
        SELECT due_at FROM due_delivery
        WHERE project_id = w.project_id AND endpoint_id = w.endpoint_id AND lane = lane.n
          AND lease_until IS NULL AND due_at <= now()
        ORDER BY due_at LIMIT 1) d
      LIMIT 1) d
    WHERE f.handed_at IS NULL AND coalesce(e.state, 'disabled') <> 'paused'
      -- Filled in the future: the clock was set back. A claim corrects it.
      AND (e.max_per_second IS NULL OR ${currentTokensSql} >= 1 OR f.refilled_at > statement_timestamp())
      AND (e.id IS NULL OR least(e.max_in_flight, f.window_size) > (
        SELECT count(*) FROM due_delivery l
        WHERE l.endpoint_id = w.endpoint_id AND l.lease_until IS NOT NULL))
  ), chosen AS (
    SELECT endpoint_id, known, turn, due_at FROM ready ORDER BY turn, due_at LIMIT $1
  ), locked AS (
    SELECT f.endpoint_id FROM webhook_flow f JOIN chosen USING (endpoint_id)
    WHERE f.handed_at IS NULL ORDER BY f.endpoint_id FOR NO KEY UPDATE OF f SKIP LOCKED
  ), marked AS (
    UPDATE webhook_flow f SET handed_at = now() FROM locked WHERE f.endpoint_id = locked.endpoint_id
    RETURNING f.endpoint_id
  )
  SELECT endpoint_id, (extract(epoch FROM now()) * 1000)::bigint AS handed_ms FROM chosen
  WHERE NOT known OR endpoint_id IN (SELECT endpoint_id FROM marked) ORDER BY turn, due_at`;

/**
 * Chooses endpoints with due deliveries that their limits allow, round robin by project, and marks them
 * as handed over.
 */
async function claimEndpoints(tx: Tx, limit: number): Promise<HandedEndpoint[]> {
  return prepared<HandedEndpoint>(tx, claimStatement, [limit]);
}

/**
 * Marks endpoints with new due deliveries as handed over, except those that are already marked or whose
 * circuit is open, and none while their queue is paused. Waits for a claim in progress, which may have
 * read too early to see them.
 * @throws 55P03 when one of them stays locked
 */
export async function markHandedOver(
  tx: Tx,
  endpointIds: readonly string[],
): Promise<HandedEndpoint[]> {
  send(tx, `SELECT ${shortLockTimeoutSql}`, []);
  return prepared<HandedEndpoint>(
    tx,
    `WITH seen AS (
       SELECT endpoint_id, handed_at IS NULL AND (held_until IS NULL OR held_until <= now())
         AND NOT ${isPausedSql("'webhooks'")} AS free
       FROM webhook_flow WHERE endpoint_id = ANY($1) ORDER BY endpoint_id FOR NO KEY UPDATE
     )
     UPDATE webhook_flow f SET handed_at = clock_timestamp() FROM seen
     WHERE f.endpoint_id = seen.endpoint_id AND f.endpoint_id = ANY($1) AND seen.free
     RETURNING f.endpoint_id, (extract(epoch FROM f.handed_at) * 1000)::bigint AS handed_ms`,
    [endpointIds],
  );
}

/** Takes back endpoints whose hints could not be added or processed. */
export async function releaseEndpoints(tx: Tx, endpointIds: readonly string[]): Promise<void> {
  await prepared(
    tx,
    `UPDATE webhook_flow SET handed_at = NULL WHERE endpoint_id IN (
       SELECT endpoint_id FROM webhook_flow WHERE endpoint_id = ANY($1)
       ORDER BY endpoint_id FOR NO KEY UPDATE)`,
    [endpointIds],
  );
}

/** How many more endpoints may be handed over; none while their queue is paused. */
async function endpointCapacity(tx: Tx): Promise<number> {
  const [row] = await prepared<{ room: number }>(
    tx,
    `SELECT greatest(0, ${liveSlotsSql("'webhooks'")} * ${hintsPerSlot}
       - (SELECT count(*) FROM webhook_flow WHERE handed_at IS NOT NULL))::integer AS room`,
    [],
  );
  return row!.room;
}

function unclaimedEndpoints(tx: Tx, before: string): Promise<HandedEndpoint[]> {
  return prepared<HandedEndpoint>(
    tx,
    `SELECT endpoint_id, (extract(epoch FROM handed_at) * 1000)::bigint AS handed_ms
     FROM webhook_flow WHERE handed_at < now() - $1::interval`,
    [before],
  );
}

async function takeBackEndpoints(
  tx: Tx,
  handed: readonly HandedEndpoint[] | 'all',
): Promise<number> {
  const rows = await prepared<{ endpoint_id: string }>(
    tx,
    `UPDATE webhook_flow SET handed_at = NULL WHERE endpoint_id IN (
       SELECT endpoint_id FROM webhook_flow
       WHERE handed_at IS NOT NULL AND ($1::text[] IS NULL OR endpoint_id = ANY($1))
       ORDER BY endpoint_id FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING endpoint_id`,
    [handed === 'all' ? null : handed.map(({ endpoint_id }) => endpoint_id)],
  );
  return rows.length;
}

/** The functions with which the relay hands endpoints over. */
export const endpointQueue: EndpointQueue = {
  waiting: 'EXISTS (SELECT FROM due_delivery WHERE lease_until IS NULL)',
  capacity: endpointCapacity,
  claim: claimEndpoints,
  release: releaseEndpoints,
  unclaimed: unclaimedEndpoints,
  takeBack: takeBackEndpoints,
};

/**
 * Hands over endpoints with new due deliveries, without searching for others.
 * @param notify adds hints for the endpoints that are now marked
 */
export async function handOverDue(
  database: Database,
  endpointIds: readonly string[],
  notify: (handed: readonly HandedEndpoint[]) => Promise<void>,
): Promise<void> {
  const handed = await inOnePacket(database, (tx) => markHandedOver(tx, endpointIds));
  if (handed.length > 0) await notify(handed);
}
