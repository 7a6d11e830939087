import { prepared, type Tx } from '../db/transaction.ts';

/** An endpoint, and the project it is or was of. */
interface EndpointKey {
  projectId: string;
  id: string;
}

/**
 * Ends what is still owed to an endpoint that is gone, what is on its way included. It stops
 * counting: an event whose other deliveries have all succeeded is published; one with none left
 * waits for an acknowledgement.
 */
export async function cancelDeliveries(tx: Tx, endpoint: EndpointKey): Promise<void> {
  await prepared(
    tx,
    `WITH held AS (
       -- Everybody locks what is due in this order, and events after it.
       SELECT id, attempts, resume_state FROM due_delivery WHERE project_id = $1 AND endpoint_id = $2
       ORDER BY id FOR UPDATE
     ), dropped AS (
       DELETE FROM due_delivery d USING held WHERE d.id = held.id
     ), unsettled AS (
       SELECT d.event_id, d.id, held.attempts, held.resume_state
       FROM delivery d LEFT JOIN held ON held.id = d.id
       WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.state NOT IN ('succeeded', 'cancelled')
     ), gone AS (
       UPDATE delivery d SET
         state = CASE WHEN u.resume_state = 'succeeded' THEN 'succeeded' ELSE 'cancelled' END,
         reason = 'endpoint_deleted', attempts = coalesce(u.attempts, d.attempts),
         finished_at = coalesce(d.finished_at, now())
       FROM unsettled u WHERE d.event_id = u.event_id AND d.endpoint_id = $2 AND d.id = u.id
       RETURNING d.event_id, d.state
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
    [endpoint.projectId, endpoint.id],
  );
}

/** Ends what became due for an endpoint while it was being deleted. */
export async function cancelOrphans(tx: Tx, endpointId: string): Promise<void> {
  const [row] = await prepared<{ project_id: string }>(
    tx,
    'SELECT project_id FROM due_delivery WHERE endpoint_id = $1 LIMIT 1',
    [endpointId],
  );
  if (row) await cancelDeliveries(tx, { projectId: row.project_id, id: endpointId });
}

/** Ends what waits for an endpoint that is turned off; what is on its way to it is not called back. */
export async function skipDeliveries(tx: Tx, endpoint: EndpointKey): Promise<void> {
  await prepared(
    tx,
    `WITH held AS (
       SELECT id, event_id, attempts, resume_state FROM due_delivery
       WHERE project_id = $1 AND endpoint_id = $2 AND lease_until IS NULL ORDER BY id FOR UPDATE
     ), dropped AS (
       DELETE FROM due_delivery d USING held WHERE d.id = held.id
     )
     UPDATE delivery d SET
       state = coalesce(nullif(held.resume_state, 'pending'), 'skipped'),
       reason = CASE WHEN coalesce(held.resume_state, 'pending') = 'pending'
         THEN 'endpoint_disabled' ELSE d.reason END,
       attempts = held.attempts, finished_at = coalesce(d.finished_at, now())
     FROM held WHERE d.event_id = held.event_id AND d.endpoint_id = $2 AND d.id = held.id`,
    [endpoint.projectId, endpoint.id],
  );
}
