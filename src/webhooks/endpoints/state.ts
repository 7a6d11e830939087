import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { WebhookFlow } from '../../entities/webhooks/webhook-flow.ts';
import { record } from '../../outbox/record.ts';
import { disableEndpoint } from '../delivery/settling/health.ts';
import { changeEndpoint } from './change.ts';
import { describeEndpoint, readChangedEndpoint, readEndpointRecord } from './health.ts';

/**
 * Pauses an endpoint: its deliveries are kept and sent later.
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

/** Enables an endpoint: waiting deliveries are sent now; skipped ones are not. */
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
 * Disables an endpoint: its current and future deliveries are skipped.
 * @throws Problem 404 when it was removed meanwhile
 */
export async function disableOnRequest(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
): Promise<WebhookRecord> {
  if (endpoint.state === 'disabled') return describeEndpoint(tx, endpoint);
  await disableEndpoint(tx, origin, endpoint.id, 'requested');
  const disabled = await readEndpointRecord(tx, endpoint.projectId, endpoint.id);
  if (!disabled) throw notFound('webhook', endpoint.id);
  return disabled;
}

async function changeState(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
  state: 'enabled' | 'paused',
): Promise<WebhookRecord> {
  changeEndpoint(tx, endpoint, { state, disabledReason: null });
  // Earlier failures say nothing about attempts after a pause or a repair.
  sendUpdate(
    tx,
    WebhookFlow,
    { endpointId: endpoint.id },
    { failingSince: null, failuresInRow: 0, holdSeconds: null, heldUntil: null },
  );
  await record(tx, origin, {
    type: `webhooks.endpoint.${state}`,
    resourceId: endpoint.id,
    data: {},
  });
  return readChangedEndpoint(tx, endpoint);
}
