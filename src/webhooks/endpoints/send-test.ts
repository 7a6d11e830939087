import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import { type EventTypeName, eventTypes } from '@scriptorium/contracts/events';
import { newId } from '@scriptorium/contracts/ids';
import { type Origin, presentActor } from '@scriptorium/contracts/origin';
import type { WebhookTest } from '@scriptorium/contracts/wire/webhooks';
import { postgresTime } from '../../db/postgres-time.ts';
import type { Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { exampleIds } from '../../outbox/feed/catalogue.ts';
import { record } from '../../outbox/record.ts';
import { deliveryDeadlineMs } from '../delivery/sending/attempts.ts';
import { judgeExchange } from '../delivery/settling/verdict.ts';
import type { Dialer } from '../dialing/dial.ts';
import {
  composeMessage,
  hideOwnHeaders,
  liveSecrets,
  openHeaders,
  openSecrets,
} from '../message.ts';

/** The type of the event that records a test, and of its message by default. */
export const testedType = 'webhooks.endpoint.tested';

/** The result of a test, and the identifier of its message and its event. */
export interface SentTest {
  eventId: string;
  result: WebhookTest;
}

/**
 * Sends an example to an endpoint in the same way as deliveries: the same payload, headers,
 * signatures, deadline and address checks. It is not a delivery; `recordTest` records its event.
 * Any outcome is a result. Call it outside of transactions.
 * @param type the type of the example
 */
export async function sendTest(
  deps: { dialer: Pick<Dialer, 'post'>; seal: { open: OpenSealed } },
  origin: Origin,
  endpoint: WebhookEndpoint,
  type: EventTypeName,
): Promise<SentTest> {
  const begunAt = new Date(postgresTime());
  const sentAt = begunAt.toISOString();
  const eventId = newId('event');
  const ownHeaders = openHeaders(deps.seal.open, endpoint.id, endpoint.headers);
  const { headers, body } = composeMessage(
    { payload: endpoint.payload, headers: ownHeaders },
    {
      eventId,
      begunAt,
      body: JSON.stringify(exampleFor(endpoint, origin, { id: eventId, at: sentAt, type })),
      secrets: openSecrets(
        deps.seal.open,
        endpoint.id,
        liveSecrets(endpoint.secrets, begunAt.getTime()).map(({ cipher }) => cipher),
      ),
    },
  );
  const result = await deps.dialer.post({
    url: endpoint.url,
    headers,
    body,
    sender: endpoint.id,
    deadlineMs: deliveryDeadlineMs,
  });
  const { succeeded, error } = judgeExchange(result);
  const testRecord: WebhookTest = {
    outcome: succeeded ? 'succeeded' : 'failed',
    at: sentAt,
    status: result.outcome === 'answered' ? result.status : null,
    duration_ms: result.timings?.total ?? null,
    timings: result.timings ? { ...result.timings } : null,
    error,
    response_excerpt: result.outcome === 'answered' ? result.excerpt : null,
    request: {
      method: 'POST',
      url: endpoint.url,
      headers: hideOwnHeaders(endpoint.headers, headers),
      body,
    },
  };
  return { eventId, result: testRecord };
}

/** Records that an endpoint was tested, with the outcome. */
export async function recordTest(
  tx: Tx,
  origin: Origin,
  endpoint: WebhookEndpoint,
  { eventId, result: { outcome, status } }: SentTest,
): Promise<void> {
  const data = { outcome, status };
  await record(tx, origin, { id: eventId, type: testedType, resourceId: endpoint.id, data });
}

/** A body in the form in which numbering freezes it. */
function exampleFor(
  endpoint: WebhookEndpoint,
  origin: Origin,
  { id, at, type }: { id: string; at: string; type: EventTypeName },
) {
  const { resource, category, example } = eventTypes[type];
  return {
    id,
    type,
    timestamp: at,
    project_id: endpoint.projectId,
    resource_type: resource,
    resource_id: type === testedType ? endpoint.id : exampleIds[resource],
    category,
    // Sequences of real events begin with 1, so this sorts before all of them.
    sequence: 0,
    occurred_at: at,
    actor: presentActor(origin.actor),
    request_id: origin.requestId,
    data: example,
  };
}
