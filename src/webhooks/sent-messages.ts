import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { prepared, type Tx } from '../db/transaction.ts';
import { findEndpoint } from './endpoints/read.ts';
import {
  composeMessage,
  liveSecrets,
  messageBody,
  openHeaders,
  openSecrets,
  showSent,
} from './message.ts';

/** The messages of a delivery, which differ by attempt only in their headers. */
interface SentMessages {
  request: NonNullable<DeliveryWithAttempts['request']>;
  /** The headers of an attempt, without the values of the endpoint's own headers. */
  headersAt(begunAt: Date): Record<string, string>;
}

/**
 * Composes the messages of a delivery again, as its attempts did: with the frozen body of the event,
 * the settings of its endpoint, and the secrets that had not expired.
 */
export async function readMessages(
  tx: Tx,
  projectId: string,
  delivery: { event_id: string; endpoint_id: string; replay_id: string | null },
  unseal: OpenSealed,
): Promise<SentMessages | null> {
  const [[event], endpoint] = await Promise.all([
    prepared<{ body: string | null }>(
      tx,
      'SELECT body FROM event WHERE project_id = $1 AND id = $2',
      [projectId, delivery.event_id],
    ),
    findEndpoint(tx, projectId, delivery.endpoint_id),
  ]);
  const body = event?.body;
  if (!endpoint || !body) return null;
  const { payload, url } = endpoint;
  const own = openHeaders(unseal, endpoint.id, endpoint.headers);
  const composeAt = (begunAt: Date) =>
    composeMessage(
      { payload, headers: own },
      {
        eventId: delivery.event_id,
        begunAt,
        body,
        secrets: openSecrets(
          unseal,
          endpoint.id,
          liveSecrets(endpoint.secrets, begunAt.getTime()).map(({ cipher }) => cipher),
        ),
        replayId: delivery.replay_id,
      },
    );
  return {
    request: { method: 'POST', url, body: messageBody(payload, body) },
    headersAt: (begunAt) => showSent(endpoint.headers, composeAt(begunAt).headers),
  };
}
