import type { Origin } from '../../contracts/origin.ts';
import { notFound, Problem } from '../../contracts/problems.ts';
import type { WebhookRecord } from '../../contracts/wire/webhooks.ts';
import { send, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { disableEndpoint } from '../delivery/settling/turn-off.ts';
import { changeRow } from './change-row.ts';
import { describeEndpoint, showChanged, showEndpoint } from './health.ts';

/**
 * Pauses an endpoint: what it is owed is kept and sent later.
 * @throws Problem 409 when it is disabled
 */
export async function pauseEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookRecord> {
  if (endpoint.state === 'paused') return describeEndpoint(tx, endpoint);
  if (endpoint.state === 'disabled') {
    throw new Problem('state_conflict', 'The webhook is disabled; enable it before pausing it.');
  }
  return changeState(tx, origin, endpoint, 'paused');
}

/** Enables an endpoint: what waited is sent now; what was skipped is not. */
export async function enableEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookRecord> {
  return endpoint.state === 'enabled'
    ? describeEndpoint(tx, endpoint)
    : changeState(tx, origin, endpoint, 'enabled');
}

/**
 * Disables an endpoint: what it is owed, now and from now on, is skipped.
 * @throws Problem 404 when it was removed meanwhile
 */
export async function turnOffEndpoint(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookRecord> {
  if (endpoint.state === 'disabled') return describeEndpoint(tx, endpoint);
  await disableEndpoint(tx, origin, endpoint.id, 'requested');
  const disabled = await showEndpoint(tx, endpoint.projectId, endpoint.id);
  if (!disabled) throw notFound('webhook', endpoint.id);
  return disabled;
}

async function changeState(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
  state: 'enabled' | 'paused',
): Promise<WebhookRecord> {
  const changed = changeRow(
    tx,
    endpoint,
    `UPDATE webhook_endpoint SET state = $4, disabled_reason = NULL,
       updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND version = $3 RETURNING id`,
    [state],
  );
  // Failures before a pause or a repair say nothing about what comes after it.
  send(
    tx,
    `UPDATE webhook_flow SET failing_since = NULL, failures_in_row = 0, hold_seconds = NULL, held_until = NULL
     WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  await record(tx, origin, {
    type: `webhooks.endpoint.${state}`,
    resourceId: endpoint.id,
    data: {},
  });
  const [shown] = await Promise.all([showChanged(tx, endpoint), changed]);
  return shown;
}
