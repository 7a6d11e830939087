import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { idRange } from '../../../outbox/relay/number.ts';
import { lockFlows } from '../ending/end-deliveries.ts';
import type { AttemptVerdict } from './verdict.ts';

/**
 * The original delivery of an event to an endpoint. A successful replay settles it, so it need not be
 * sent any more.
 */
interface Original {
  id: string;
  event_id: string;
  endpoint_id: string;
}

/**
 * Finds the original deliveries of replayed ones that succeeded, and locks the due rows of both
 * before the transaction locks any other due rows.
 */
export async function lockOriginals(
  tx: Tx,
  verdicts: readonly AttemptVerdict[],
): Promise<Original[]> {
  const replayed = verdicts.filter(
    ({ delivery, succeeded }) => succeeded && delivery.replayId !== null,
  );
  if (replayed.length === 0) return [];
  lockFlows(tx, [...new Set(verdicts.map(({ delivery }) => delivery.endpoint.id))]);
  const originals = await prepared<Original>(
    tx,
    `SELECT d.id, d.event_id, d.endpoint_id
     FROM unnest($1::text[], $2::text[]) AS r (event_id, endpoint_id)
     JOIN delivery d ON d.event_id = r.event_id AND d.endpoint_id = r.endpoint_id
       AND d.replay_id IS NULL AND d.event_id = ANY($1) AND d.event_id BETWEEN $3 AND $4`,
    [
      replayed.map(({ delivery }) => delivery.eventId),
      replayed.map(({ delivery }) => delivery.endpoint.id),
      ...idRange(replayed.map(({ delivery }) => ({ id: delivery.eventId }))),
    ],
  );
  send(tx, 'SELECT FROM due_delivery WHERE id = ANY($1) ORDER BY id FOR UPDATE', [
    [...verdicts.map(({ delivery }) => delivery.id), ...originals.map(({ id }) => id)],
  ]);
  return originals;
}

/**
 * Settles the originals of deliveries that succeeded. Failed, skipped and waiting originals succeed
 * immediately, those in progress when their attempt ends, whatever its outcome.
 */
export function settleOriginals(
  tx: Tx,
  originals: readonly Original[],
  succeeded: readonly AttemptVerdict[],
): void {
  const delivered = new Set(
    succeeded
      .filter(({ delivery }) => delivery.replayId !== null)
      .map(({ delivery }) => `${delivery.eventId} ${delivery.endpoint.id}`),
  );
  const settled = originals.filter(({ event_id, endpoint_id }) =>
    delivered.has(`${event_id} ${endpoint_id}`),
  );
  if (settled.length === 0) return;
  send(
    tx,
    `WITH original AS (
       SELECT d.id, d.event_id, due.attempts, due.lease_until IS NOT NULL AS under_way
       FROM delivery d LEFT JOIN due_delivery due ON due.id = d.id AND due.id = ANY($1)
       WHERE d.id = ANY($1) AND d.event_id = ANY($2) AND d.event_id BETWEEN $3 AND $4
         AND coalesce(due.resume_state, d.state) IN ('pending', 'exhausted', 'skipped')
       ORDER BY d.id FOR UPDATE OF d
     ), dropped AS (
       DELETE FROM due_delivery due USING original o WHERE due.id = ANY($1) AND due.id = o.id AND NOT o.under_way
     ), resumed AS (
       UPDATE due_delivery due SET resume_state = 'succeeded', resume_due_at = NULL
       FROM original o WHERE due.id = ANY($1) AND due.id = o.id AND o.under_way
     )
     UPDATE delivery d SET reason = 'replayed',
       state = CASE WHEN o.under_way THEN d.state ELSE 'succeeded' END,
       attempts = coalesce(o.attempts, d.attempts),
       finished_at = CASE WHEN o.under_way THEN d.finished_at ELSE now() END
     FROM original o WHERE d.event_id = o.event_id AND d.id = o.id
       AND d.event_id = ANY($2) AND d.event_id BETWEEN $3 AND $4`,
    [
      settled.map(({ id }) => id),
      settled.map(({ event_id }) => event_id),
      ...idRange(settled.map(({ event_id }) => ({ id: event_id }))),
    ],
  );
}
