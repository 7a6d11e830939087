import { prepared, type Tx } from '../db/transaction.ts';
import type { SealedSecret } from '../entities/webhook-endpoint.ts';

/** The deadline of an exchange and fifteen seconds: see `deliveryDeadlineMs`. */
const deliveryLeaseSeconds = 30;
const perClaim = 20;

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  projectId: string;
  replayId: string | null;
  epoch: number;
  /** The number of the attempt that now begins, from 1. */
  attempt: number;
  failures: number;
  /** Set when somebody asked for this attempt: what the delivery goes on as if it fails. */
  resumeState: 'pending' | 'succeeded' | 'exhausted' | 'skipped' | null;
  body: string;
}

/** Deliveries in hand, all to one endpoint. */
export interface Claim {
  endpointId: string;
  projectId: string;
  url: string;
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  /** Sealed secrets that have not expired, the newest first. */
  secrets: string[];
  deliveries: ClaimedDelivery[];
}

interface Endpoint {
  project_id: string;
  url: string;
  headers: Record<string, string>;
  payload: 'full' | 'thin';
  secrets: SealedSecret[];
  state: 'enabled' | 'paused' | 'disabled';
}

/**
 * Takes up to twenty deliveries that were handed over for an endpoint, and writes the row of each
 * attempt before anything is sent. Deliveries to an endpoint that is gone are cancelled, to one that
 * is paused go back, to one that is disabled are skipped.
 * @returns null when there is nothing to send
 */
export async function claimDeliveries(tx: Tx, endpointId: string): Promise<Claim | null> {
  const [endpoint] = await prepared<Endpoint>(
    tx,
    `SELECT project_id, url, headers, payload, secrets, state FROM webhook_endpoint WHERE id = $1`,
    [endpointId],
  );
  if (!endpoint) {
    await cancelDeliveries(tx, endpointId);
    return null;
  }
  if (endpoint.state !== 'enabled') {
    if (endpoint.state === 'paused') await putBack(tx, endpointId);
    else await skipDeliveries(tx, endpointId);
    return null;
  }
  const deliveries = await prepared<ClaimedDelivery>(
    tx,
    `WITH taken AS (
       UPDATE delivery SET state = 'delivering', lease_epoch = lease_epoch + 1, attempts = attempts + 1,
         lease_until = now() + interval '${deliveryLeaseSeconds} seconds'
       WHERE (event_id, id) IN (
         SELECT event_id, id FROM delivery
         WHERE endpoint_id = $1 AND handed_at IS NOT NULL AND state = 'pending' AND due_at <= now()
         ORDER BY due_at LIMIT ${perClaim} FOR UPDATE SKIP LOCKED)
       RETURNING id, event_id, project_id, replay_id, lease_epoch, attempts, failures, resume_state
     ), begun AS (
       INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger)
       SELECT event_id, id, attempts, project_id,
         CASE WHEN resume_state IS NULL THEN 'schedule' ELSE 'manual' END FROM taken
     )
     SELECT taken.id, taken.event_id AS "eventId", taken.project_id AS "projectId",
       taken.replay_id AS "replayId", taken.lease_epoch AS epoch, taken.attempts AS attempt,
       taken.failures, taken.resume_state AS "resumeState", event.body
     FROM taken JOIN event ON event.id = taken.event_id ORDER BY event.ordinal`,
    [endpointId],
  );
  if (deliveries.length === 0) return null;
  const now = Date.now();
  return {
    endpointId,
    projectId: endpoint.project_id,
    url: endpoint.url,
    headers: endpoint.headers,
    payload: endpoint.payload,
    secrets: endpoint.secrets
      .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now)
      .map(({ cipher }) => cipher),
    deliveries,
  };
}

/**
 * Ends what is still owed to an endpoint that is gone. It stops counting: an event whose other
 * deliveries have all succeeded is published; one with none left waits for an acknowledgement.
 */
export async function cancelDeliveries(tx: Tx, endpointId: string): Promise<void> {
  await prepared(
    tx,
    `WITH held AS (
       -- Everybody locks deliveries in this order, and events after them.
       SELECT event_id, id FROM delivery WHERE endpoint_id = $1 AND state NOT IN ('succeeded', 'cancelled')
       ORDER BY event_id, id FOR UPDATE
     ), gone AS (
       UPDATE delivery SET
         state = CASE WHEN delivery.resume_state = 'succeeded' THEN 'succeeded' ELSE 'cancelled' END,
         reason = 'endpoint_deleted', finished_at = coalesce(delivery.finished_at, now()),
         handed_at = NULL, lease_until = NULL, resume_state = NULL, resume_due_at = NULL
       FROM held WHERE delivery.event_id = held.event_id AND delivery.id = held.id
       RETURNING delivery.event_id, delivery.state
     ), counted AS (
       SELECT event_id, count(*) AS n FROM gone WHERE state = 'cancelled' GROUP BY event_id
     ), locked AS (
       SELECT event.id, counted.n FROM event JOIN counted ON event.id = counted.event_id
       ORDER BY event.id FOR UPDATE OF event
     )
     UPDATE event SET owed = event.owed - locked.n,
       published_at = CASE WHEN event.delivered > 0 AND event.delivered >= event.owed - locked.n
         THEN coalesce(event.published_at, now()) ELSE event.published_at END
     FROM locked WHERE event.id = locked.id`,
    [endpointId],
  );
}

/** Ends what waits for an endpoint that is turned off; what is on its way to it is not called back. */
export async function skipDeliveries(tx: Tx, endpointId: string): Promise<void> {
  await prepared(
    tx,
    `WITH held AS (
       SELECT event_id, id FROM delivery WHERE endpoint_id = $1 AND state = 'pending'
       ORDER BY event_id, id FOR UPDATE
     )
     UPDATE delivery SET
       state = coalesce(nullif(delivery.resume_state, 'pending'), 'skipped'),
       reason = CASE WHEN coalesce(delivery.resume_state, 'pending') = 'pending'
         THEN 'endpoint_disabled' ELSE delivery.reason END,
       finished_at = coalesce(delivery.finished_at, now()),
       handed_at = NULL, resume_state = NULL, resume_due_at = NULL
     FROM held WHERE delivery.event_id = held.event_id AND delivery.id = held.id`,
    [endpointId],
  );
}

/** What was handed over for an endpoint that is paused waits for it. */
async function putBack(tx: Tx, endpointId: string): Promise<void> {
  await prepared(
    tx,
    `UPDATE delivery SET handed_at = NULL WHERE (event_id, id) IN (
       SELECT event_id, id FROM delivery
       WHERE endpoint_id = $1 AND state = 'pending' AND handed_at IS NOT NULL FOR UPDATE SKIP LOCKED)`,
    [endpointId],
  );
}
