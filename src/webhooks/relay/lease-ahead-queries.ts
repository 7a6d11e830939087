import { textForRows, withVariants } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { SealedHeaders, SealedSecret } from '../../entities/webhooks/webhook-endpoint.ts';
import { isPausedSql } from '../../outbox/pause.ts';
import type { HandedEndpoint } from '../../outbox/relay/webhooks.ts';
import {
  currentTokensSql,
  failingLongSql,
  leaseEndSql,
  windowCapacitySql,
} from '../delivery/flow-limits.ts';
import { deliveryValues, type OwedDelivery } from './subscribers.ts';

/** The capacity of the numbering process for sending deliveries. */
export interface SenderCapacity {
  /** How many attempts it may begin. */
  free: number;
  /** Deliveries that succeeded but are not stored yet. */
  unstored: readonly { id: string; epoch: number }[];
}

/** A delivery that was leased when it was inserted. This process sends it after the commit. */
export interface LeasedDelivery {
  id: string;
  eventId: string;
  begunAt: Date;
  endpoint: LeasedEndpoint;
}

/** The destination of a leased delivery. */
export interface LeasedEndpoint {
  id: string;
  projectId: string;
  url: string;
  headers: SealedHeaders;
  payload: 'full' | 'thin';
  secrets: SealedSecret[];
  failingLong: boolean;
}

/**
 * Locks the flows of endpoints, skipping locked ones: numbering never waits. Stores their
 * identifiers in a setting of the transaction, for later statements of the same packet.
 * @returns the endpoints that are locked
 */
export async function lockFreeFlows(tx: Tx, endpointIds: readonly string[]): Promise<Set<string>> {
  const [row] = await prepared<{ flows: string }>(
    tx,
    `SELECT set_config('app.flows', coalesce(string_agg(endpoint_id, ','), ''), true) AS flows FROM (
       SELECT endpoint_id FROM webhook_flow WHERE endpoint_id = ANY($1)
       ORDER BY endpoint_id FOR NO KEY UPDATE SKIP LOCKED) locked`,
    [endpointIds],
  );
  return new Set(row!.flows.split(','));
}

/** The endpoints locked by `lockFreeFlows`, in SQL. */
const lockedFlows = `string_to_array(current_setting('app.flows', true), ',')`;

/**
 * Marks locked endpoints as handed over, as `markHandedOver` does: except those that are already marked
 * or whose circuit is open, and none while their queue is paused.
 */
export function markLocked(tx: Tx): Promise<HandedEndpoint[]> {
  return prepared<HandedEndpoint>(
    tx,
    `UPDATE webhook_flow f SET handed_at = clock_timestamp()
     WHERE f.endpoint_id = ANY(${lockedFlows}) AND f.handed_at IS NULL
       AND (f.held_until IS NULL OR f.held_until <= now()) AND NOT ${isPausedSql("'webhooks'")}
     RETURNING f.endpoint_id, (extract(epoch FROM f.handed_at) * 1000)::bigint AS handed_ms`,
    [],
  );
}

interface LeasedRow extends Omit<LeasedEndpoint, 'id' | 'projectId'> {
  id: string;
  event_id: string;
  endpoint_id: string;
  project_id: string;
  begun_at: Date;
}

const storeStatement = withVariants(`
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
      $7::boolean[], $8::boolean[]) WITH ORDINALITY
      AS d (id, event_id, event_type, project_id, endpoint_id, ordinal, skipped, candidate, place)
  ), open AS MATERIALIZED (
    SELECT f.endpoint_id, e.url, e.headers, e.payload, e.secrets, ${failingLongSql} AS failing_long,
      ${currentTokensSql} AS tokens, ${windowCapacitySql({ ids: '$9', epochs: '$10' })} AS free
    FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id AND e.state = 'enabled'
    WHERE f.endpoint_id = ANY(${lockedFlows}) AND f.hold_seconds IS NULL
      AND NOT ${isPausedSql("'webhooks'")} AND (
        -- Not NOT EXISTS, which the planner may turn into a join with all waiting deliveries.
        SELECT true FROM due_delivery d
        WHERE d.project_id = f.project_id AND d.endpoint_id = f.endpoint_id
          AND d.lease_until IS NULL AND d.due_at <= statement_timestamp() LIMIT 1) IS NULL
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY endpoint_id ORDER BY place) AS turn FROM given
  ), chosen AS MATERIALIZED (
    SELECT ranked.*, coalesce(
      candidate AND turn <= least(open.free, floor(coalesce(open.tokens, open.free))), false) AS leased
    FROM ranked LEFT JOIN open USING (endpoint_id)
  ), made AS (
    INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, state, reason, finished_at)
    SELECT id, event_id, event_type, project_id, endpoint_id, CASE WHEN skipped THEN 'skipped' ELSE 'pending' END,
      CASE WHEN skipped THEN 'endpoint_disabled' END, CASE WHEN skipped THEN now() END
    FROM given
  ), due AS (
    -- Due from now, not from the start of the transaction: that may precede the numbering of another relay.
    INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, ordinal, due_at, lease_epoch,
      attempts, lease_until, begun_at, trigger)
    SELECT id, event_id, project_id, endpoint_id, ordinal, statement_timestamp(), leased::integer, leased::integer,
      CASE WHEN leased THEN ${leaseEndSql} END, CASE WHEN leased THEN statement_timestamp() END,
      CASE WHEN leased THEN 'schedule' END
    FROM chosen WHERE NOT skipped
  ), spent AS (
    UPDATE webhook_flow f SET tokens = open.tokens - c.n, refilled_at = statement_timestamp()
    FROM (SELECT endpoint_id, count(*) AS n FROM chosen WHERE leased GROUP BY endpoint_id) c
    JOIN open ON open.endpoint_id = c.endpoint_id AND open.tokens IS NOT NULL
    WHERE f.endpoint_id = c.endpoint_id AND f.endpoint_id = ANY(${lockedFlows})
  )
  SELECT c.id, c.event_id, c.endpoint_id, c.project_id, statement_timestamp() AS begun_at,
    open.url, open.headers, open.payload, open.secrets, open.failing_long AS "failingLong"
  FROM chosen c JOIN open ON open.endpoint_id = c.endpoint_id WHERE c.leased ORDER BY c.place`);

/**
 * Inserts deliveries as `storeDeliveries` does, and leases those that may be sent immediately, in the
 * order of their events: the endpoint is enabled, locked and not paused, its circuit is closed, its
 * window and its token bucket have capacity, and it has no other due deliveries.
 * @param candidates which of them this process would send, by position
 */
export async function storeAndLease(
  tx: Tx,
  owed: readonly OwedDelivery[],
  candidates: readonly boolean[],
  unstored: SenderCapacity['unstored'],
): Promise<LeasedDelivery[]> {
  const rows = await prepared<LeasedRow>(tx, textForRows(tx, owed.length, storeStatement), [
    ...deliveryValues(owed),
    candidates,
    unstored.map(({ id }) => id),
    unstored.map(({ epoch }) => epoch),
  ]);
  const endpoints = new Map<string, LeasedEndpoint>();
  return rows.map(({ id, event_id, endpoint_id, project_id, begun_at, ...row }) => {
    const endpoint = endpoints.get(endpoint_id) ?? {
      id: endpoint_id,
      projectId: project_id,
      ...row,
    };
    endpoints.set(endpoint_id, endpoint);
    return { id, eventId: event_id, begunAt: begun_at, endpoint };
  });
}
