import type { Origin } from '@scriptorium/contracts/origin';
import { sendDelete } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { WebhookFlow } from '../../entities/webhooks/webhook-flow.ts';
import { WebhookStat } from '../../entities/webhooks/webhook-stat.ts';
import { WebhookTally } from '../../entities/webhooks/webhook-tally.ts';
import { record } from '../../outbox/record.ts';
import { cancelDeliveries } from '../delivery/ending/end-deliveries.ts';
import { scheduleEnding } from '../delivery/ending/schedule-ending.ts';
import { endpointChangedProblem } from './health.ts';

/**
 * Removes an endpoint. Its deliveries are cancelled and events are no longer owed to it: the first batch
 * immediately, the others by a task.
 */
export async function deleteEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<void> {
  const { projectId, id, version } = endpoint;
  const { affected } = await tx.delete(WebhookEndpoint, { projectId, id, version });
  if (affected === 0) throw endpointChangedProblem();
  sendDelete(tx, WebhookFlow, { endpointId: id });
  const next = await cancelDeliveries(tx, endpoint, '');
  if (next !== null) await scheduleEnding(tx, endpoint, next);
  sendDelete(tx, WebhookTally, { endpointId: id });
  sendDelete(tx, WebhookStat, { endpointId: id });
  await record(tx, origin, {
    type: 'webhooks.endpoint.deleted',
    resourceId: endpoint.id,
    data: {},
  });
}
