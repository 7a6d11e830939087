import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { lockFlows } from '../delivery/ending/end-deliveries.ts';
import { lockEndpoint } from '../endpoints/read.ts';
import { findDelivery } from './read.ts';
import type { DeliveryRow } from './row.ts';

/**
 * Makes a delivery due immediately for one more attempt, even if it was cancelled. If that attempt
 * fails, the delivery returns to its former state, and the automatic schedule keeps its step and its
 * time. Several requests before the attempt cause only one.
 * @throws Problem 409 while an attempt is in progress, or when the endpoint is not enabled
 */
export async function redeliver(
  tx: Tx,
  origin: Origin,
  requested: WebhookEndpoint,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  const endpoint = await lockEndpoint(tx, requested.projectId, requested.id);
  if (!endpoint) throw notFound('webhook', requested.id);
  requireEnabled(endpoint);
  // Locks the flow and the due rows before the delivery, as all transactions do: the success of a
  // replay settles a delivery that may become due here.
  lockFlows(tx, [endpoint.id]);
  send(tx, 'SELECT FROM due_delivery WHERE id = $1 FOR UPDATE', [delivery.id]);
  const changed = await prepared<{ id: string }>(
    tx,
    `WITH locked AS (
       SELECT d.*, event.ordinal FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.project_id = $1 AND d.event_id = $2 AND d.endpoint_id = $3 AND d.id = $4 FOR UPDATE OF d
     ), due AS (
       INSERT INTO due_delivery AS due (id, project_id, endpoint_id, event_id, replay_id, ordinal,
         lane, attempts, lease_epoch, resume_state)
       -- Each attempt increased the epoch by one. The new row continues from there, which
       -- invalidates the epoch of a late worker.
       SELECT id, project_id, endpoint_id, event_id, replay_id, ordinal, 0, attempts, attempts, state
       FROM locked
       ON CONFLICT (id) DO UPDATE SET
         resume_state = coalesce(due.resume_state, 'pending'),
         resume_due_at = CASE WHEN due.resume_state IS NULL THEN due.due_at ELSE due.resume_due_at END,
         lane = 0, due_at = least(due.due_at, now())
       WHERE due.lease_until IS NULL
       RETURNING id
     )
     UPDATE delivery d SET state = 'pending' FROM due
     WHERE d.event_id = $2 AND d.endpoint_id = $3 AND d.id = due.id RETURNING d.id`,
    [endpoint.projectId, delivery.event_id, endpoint.id, delivery.id],
  );
  if (changed.length === 0) {
    throw new Problem(
      'state_conflict',
      'An attempt at this delivery is in progress; wait for it to end.',
      {
        retryable: true,
      },
    );
  }
  await record(tx, origin, {
    type: 'webhooks.delivery.redelivered',
    resourceId: delivery.id,
    data: { event_id: delivery.event_id, webhook_id: endpoint.id },
  });
  return (await findDelivery(tx, endpoint.projectId, endpoint.id, delivery.id))!;
}

/**
 * Requires that an endpoint sends.
 * @throws Problem 409 when it is paused or disabled
 */
export function requireEnabled({ state }: WebhookEndpoint): void {
  if (state === 'enabled') return;
  throw new Problem('state_conflict', `The webhook is ${state}; enable it first.`);
}
