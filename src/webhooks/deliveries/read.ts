import type { OpenSealed } from '@scriptorium/contracts/documents/sealed';
import type { AttemptRecord, DeliveryWithAttempts } from '@scriptorium/contracts/wire/webhooks';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Attempt } from '../../entities/webhooks/attempt.ts';
import { readMessages } from '../sent-messages.ts';
import {
  type DeliveryRow,
  deliveriesWithLast,
  deliveryRowColumns,
  presentDelivery,
} from './row.ts';

/** A delivery to an endpoint of the project, or null. */
export async function findDelivery(
  tx: Tx,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await prepared<DeliveryRow>(
    tx,
    `SELECT ${deliveryRowColumns} FROM ${deliveriesWithLast}
     WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.id = $3
       AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.project_id = $1 AND e.id = $2)`,
    [projectId, endpointId, id],
  );
  return row ?? null;
}

/**
 * A delivery with all its attempts, in order.
 * @param unseal composes the messages of the attempts; null omits these and the responses, which
 *   may contain the event
 */
export async function readAttempts(
  tx: Tx,
  projectId: string,
  delivery: DeliveryRow,
  unseal: OpenSealed | null,
): Promise<DeliveryWithAttempts> {
  const [attempts, messages] = await Promise.all([
    tx.find(Attempt, {
      where: { projectId, eventId: delivery.event_id, deliveryId: delivery.id },
      order: { number: 'ASC' },
    }),
    unseal && readMessages(tx, projectId, delivery, unseal),
  ]);
  const { trigger, begun_at: begunAt } = delivery;
  const openAttempts: AttemptRecord[] =
    begunAt === null || trigger === null
      ? []
      : [
          {
            number: delivery.attempts,
            trigger,
            outcome: 'unknown',
            at: begunAt.toISOString(),
            status: null,
            duration_ms: null,
            timings: null,
            error: null,
            response_excerpt: null,
            next_attempt_at: null,
            request_headers: messages?.headersAt(begunAt) ?? null,
          },
        ];
  const ended = attempts.map(
    (attempt): AttemptRecord => ({
      number: attempt.number,
      trigger: attempt.trigger,
      outcome: attempt.outcome,
      at: attempt.at.toISOString(),
      status: attempt.status,
      duration_ms: attempt.durationMs,
      timings: attempt.timings,
      error: attempt.error,
      response_excerpt: unseal && attempt.responseExcerpt,
      request_headers: messages?.headersAt(attempt.at) ?? null,
      next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
    }),
  );
  return {
    ...presentDelivery(delivery),
    request: messages?.request ?? null,
    attempts: [...ended, ...openAttempts],
  };
}
