import { nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';

/**
 * Sends the change of an endpoint, which has no effect if its version has changed since it was read.
 * Call `readChangedEndpoint` in the same turn, which checks that the endpoint was changed.
 */
export function changeEndpoint(
  tx: Tx,
  { projectId, id, version }: WebhookEndpoint,
  change: Partial<WebhookEndpoint>,
): void {
  sendUpdate(
    tx,
    WebhookEndpoint,
    { projectId, id, version },
    { ...change, updatedAt: () => 'now()', version: nextVersion },
  );
}
