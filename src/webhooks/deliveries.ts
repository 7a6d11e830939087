import type { EventTypeName } from '../contracts/events.ts';
import { Problem } from '../contracts/problems.ts';
import type { DeliveryRecord, DeliveryWithAttempts } from '../contracts/wire/webhooks.ts';
import { Conditions } from '../db/conditions.ts';
import { prepared, query, type Tx } from '../db/transaction.ts';
import { Attempt } from '../entities/attempt.ts';
import type { DeliveryState } from '../entities/delivery.ts';
import type { WebhookEndpoint } from '../entities/webhook-endpoint.ts';

/** A delivery with the type of what it delivers. */
interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  event_type: string;
  state: DeliveryState;
  reason: string | null;
  attempts: number;
  due_at: Date;
  created_at: Date;
  finished_at: Date | null;
}

const columns = `d.id, d.event_id, d.endpoint_id, event.type AS event_type, d.state, d.reason, d.attempts,
  d.due_at, d.created_at, d.finished_at`;

/** What a list of deliveries can be narrowed to. */
interface DeliveryFilters {
  state?: DeliveryState | undefined;
  eventTypes?: readonly EventTypeName[] | undefined;
}

/** Deliveries to an endpoint, the newest first, from before an identifier on. */
export async function listDeliveries(
  tx: Tx,
  endpoint: WebhookEndpoint,
  filters: DeliveryFilters,
  page: { before: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const where = conditions(endpoint, filters);
  if (page.before !== null) where.add('d.id < ?', page.before);
  return query<DeliveryRow>(
    tx,
    `SELECT ${columns} FROM delivery d JOIN event ON event.id = d.event_id
     WHERE ${where.sql()} ORDER BY d.id DESC LIMIT ${page.limit}`,
    where.values,
  );
}

/** How many deliveries the filters leave. */
export async function countDeliveries(
  tx: Tx,
  endpoint: WebhookEndpoint,
  filters: DeliveryFilters,
): Promise<number> {
  const where = conditions(endpoint, filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM delivery d JOIN event ON event.id = d.event_id WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

/** A delivery to an endpoint of the project, or null. */
export async function findDelivery(
  tx: Tx,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await prepared<DeliveryRow>(
    tx,
    `SELECT ${columns} FROM delivery d JOIN event ON event.id = d.event_id
     WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.id = $3
       AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.project_id = $1 AND e.id = $2)`,
    [projectId, endpointId, id],
  );
  return row ?? null;
}

/** A delivery with every try at it, in order. */
export async function readAttempts(
  tx: Tx,
  projectId: string,
  delivery: DeliveryRow,
): Promise<DeliveryWithAttempts> {
  const attempts = await tx.find(Attempt, {
    where: { projectId, eventId: delivery.event_id, deliveryId: delivery.id },
    order: { number: 'ASC' },
  });
  return {
    ...presentDelivery(delivery),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      trigger: attempt.trigger,
      outcome: attempt.outcome,
      at: attempt.at.toISOString(),
      status: attempt.status,
      duration_ms: attempt.durationMs,
      timings: attempt.timings,
      error: attempt.error,
      response_excerpt: attempt.responseExcerpt,
      next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
    })),
  };
}

/**
 * Makes a delivery due at once for one more attempt. If that fails, everything goes on as if it had
 * not been: the automatic schedule keeps its step and its time. Asking twice before it is sent is
 * asking once.
 * @throws Problem 409 while an attempt is under way, or when the endpoint is not enabled
 */
export async function redeliver(
  tx: Tx,
  endpoint: WebhookEndpoint,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  if (endpoint.state !== 'enabled') {
    throw new Problem('state_conflict', `The webhook is ${endpoint.state}; enable it first.`);
  }
  const changed = await prepared<{ id: string }>(
    tx,
    `UPDATE delivery SET
       resume_state = coalesce(resume_state, state),
       resume_due_at = CASE WHEN resume_state IS NULL THEN due_at ELSE resume_due_at END,
       state = 'pending', due_at = least(due_at, now()),
       handed_at = CASE WHEN state = 'pending' AND due_at <= now() THEN handed_at END
     WHERE project_id = $1 AND event_id = $2 AND id = $3
       AND state IN ('pending', 'succeeded', 'exhausted', 'skipped')
     RETURNING id`,
    [endpoint.projectId, delivery.event_id, delivery.id],
  );
  if (changed.length === 0) {
    throw new Problem('state_conflict', 'An attempt at this delivery is under way; wait for it.', {
      retryable: true,
    });
  }
  return (await findDelivery(tx, endpoint.projectId, endpoint.id, delivery.id))!;
}

/** A delivery as the API shows it. */
export function presentDelivery(row: DeliveryRow): DeliveryRecord {
  const open = row.state === 'pending' || row.state === 'delivering';
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    state: row.state,
    reason: row.reason,
    attempts_made: row.attempts,
    next_attempt_at: row.state === 'pending' ? row.due_at.toISOString() : null,
    created_at: row.created_at.toISOString(),
    finished_at: open ? null : (row.finished_at?.toISOString() ?? null),
  };
}

function conditions(endpoint: WebhookEndpoint, filters: DeliveryFilters): Conditions {
  const where = new Conditions();
  where.add('d.project_id = ? AND d.endpoint_id = ?', endpoint.projectId, endpoint.id);
  if (filters.state) where.add('d.state = ?', filters.state);
  if (filters.eventTypes) where.add('event.type = ANY(?)', filters.eventTypes);
  return where;
}
