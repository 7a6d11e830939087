import type { Origin } from '../../../contracts/origin.ts';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { failingDays } from '../../../outbox/relay/flow-room.ts';
import { lockFlows, skipDeliveries } from '../ending/end-deliveries.ts';

/** Turns an endpoint off: what is owed to it is skipped, with the reason, until it is redelivered. */
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
 * The endpoint's own part of it, with one event however many failures arrive at once. One that was
 * enabled anew since the attempts were claimed that failed is not failing for long.
 * @param url where the attempts went that say so: an endpoint that has moved since is not meant; null
 *   for whoever turns it off wherever it is
 * @returns whether it was turned off by this
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
