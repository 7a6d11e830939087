import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { prepared, type Tx } from '../db/transaction.ts';
import { findEndpoint } from './endpoints/read.ts';
import {
  composeMessage,
  hideOwnHeaders,
  liveSecrets,
  messageBody,
  openHeaders,
  openSecrets,
} from './message.ts';

/** The messages of a delivery. Those of its attempts differ only in the headers. */
interface SentMessages {
  request: NonNullable<DeliveryWithAttempts['request']>;
  /** The headers of an attempt, without the values of the endpoint's custom headers. */
  headersAt(begunAt: Date): Record<string, string>;
}

/**
 * Composes the messages of a delivery again as its attempts sent them, from the frozen body of the
 * event, the current settings of its endpoint, and the secrets that were valid then.
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
  const headers = openHeaders(unseal, endpoint.id, endpoint.headers);
  const composeAt = (begunAt: Date) =>
    composeMessage(
      { payload, headers },
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
    headersAt: (begunAt) => hideOwnHeaders(endpoint.headers, composeAt(begunAt).headers),
  };
}
