import { nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';

/**
 * Changes an endpoint, unless its version has changed since it was read. Does not wait; read the
 * endpoint with `showChanged` in the same turn, which checks that it was changed.
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
