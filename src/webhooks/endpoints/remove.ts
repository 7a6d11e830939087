import type { Origin } from '../../contracts/origin.ts';
import { send, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { cancelDeliveries } from '../delivery/ending/end-deliveries.ts';
import { changeRow } from './change-row.ts';

/** Removes an endpoint. What it was owed is cancelled and no longer counts. */
export async function deleteEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<void> {
  await changeRow(
    tx,
    endpoint,
    'DELETE FROM webhook_endpoint WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id',
    [],
  );
  send(tx, 'DELETE FROM webhook_flow WHERE endpoint_id = $1', [endpoint.id]);
  await cancelDeliveries(tx, endpoint);
  await record(tx, origin, {
    type: 'webhooks.endpoint.deleted',
    resourceId: endpoint.id,
    data: {},
  });
}
