import type { Origin } from '../../../contracts/origin.ts';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { lockFlows, skipDeliveries } from '../ending/end-deliveries.ts';
import { failingDays } from '../flow-room.ts';

/**
 * Turns an endpoint off: what is owed to it is skipped, with the reason, until it is redelivered.
 */
export async function disableEndpoint(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<void> {
  await turnOff(tx, origin, endpointId, reason, null);
  lockFlows(tx, [endpointId]);
  await skipDeliveries(tx, { projectId: origin.projectId, id: endpointId });
}

/**
 * Disables the endpoint itself, with one event however many failures arrive at once. An endpoint
 * that was enabled again since the failed attempts were claimed stays on.
 * @param url where the attempts went: an endpoint that has moved since stays on; null disables it
 *   wherever it is
 * @returns whether this turned it off
 */
export async function turnOff(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
  url: string | null,
): Promise<boolean> {
  const disabled = await prepared<{ id: string }>(
    tx,
    `UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = $2, updated_at = now(), version = version + 1
     WHERE id = $1 AND state <> 'disabled' AND url = coalesce($3, url) AND ($2 <> 'failing' OR EXISTS (
       SELECT FROM webhook_flow
       WHERE endpoint_id = $1 AND failing_since < now() - interval '${failingDays} days'))
     RETURNING id`,
    [endpointId, reason, url],
  );
  if (disabled.length === 0) return false;
  await record(tx, origin, {
    type: 'webhooks.endpoint.disabled',
    resourceId: endpointId,
    data: { reason },
  });
  return true;
}
