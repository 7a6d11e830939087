import { systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';

/** A delivery that was given up. */
export interface Exhausted {
  id: string;
  eventId: string;
  projectId: string;
  endpointId: string;
  attempts: number;
}

/**
 * Records that deliveries were given up. Deliveries of events about webhooks never cause such
 * events, which would cause more of them.
 */
export async function recordExhausted(tx: Tx, deliveries: readonly Exhausted[]): Promise<void> {
  if (deliveries.length === 0) return;
  const own = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE id = ANY($1) AND type LIKE 'webhooks.%'`,
    [deliveries.map(({ eventId }) => eventId)],
  );
  const aboutWebhooks = new Set(own.map(({ id }) => id));
  for (const { id, eventId, projectId, endpointId, attempts } of deliveries) {
    if (aboutWebhooks.has(eventId)) continue;
    await record(tx, systemOrigin(projectId), {
      type: 'webhooks.delivery.exhausted',
      resourceId: id,
      data: { event_id: eventId, webhook_id: endpointId, attempts },
    });
  }
}
