import type { Origin } from '@scriptorium/contracts/origin';
import { invalid, notFound } from '@scriptorium/contracts/problems';
import type { BacklogCancel } from '@scriptorium/contracts/wire/replays';
import { type InTransaction, prepared, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { endWaiting, lockFlows } from './delivery/ending/end-deliveries.ts';
import { recountEvents } from './delivery/settling/published-queries.ts';
import { typeFaults } from './endpoints/faults.ts';
import { lockEndpoint } from './endpoints/read.ts';
import { replayedTypes } from './replays/select.ts';

/** How many deliveries one transaction ends. Their events stay locked until it commits. */
const batchSize = 2_000;

/**
 * Cancels the waiting deliveries of an endpoint, optionally only those of some types or older than
 * a time: they are not sent and no longer counted. Attempts in progress are not interrupted, and
 * deliveries that only wait for a manual redelivery return to their former state. Works in batches,
 * so that deliveries to other endpoints do not wait.
 * @param inside runs each batch in its own transaction
 * @returns how many deliveries were cancelled
 * @throws Problem 422 for unknown types, 404 when the endpoint is removed meanwhile
 */
export async function cancelBacklog(
  inside: InTransaction,
  origin: Origin,
  endpointId: string,
  given: BacklogCancel,
): Promise<number> {
  const faults = typeFaults(given.event_types ?? []);
  if (faults.length > 0) throw invalid(faults);
  // Deliveries that are added meanwhile are not cancelled, so that this ends.
  let left = await inside((tx) => countWaiting(tx, origin.projectId, endpointId));
  let cancelled = 0;
  while (left > 0) {
    const batch = await inside((tx) => cancelBatch(tx, origin, endpointId, given));
    cancelled += batch.cancelled;
    left = batch.waited < batchSize ? 0 : left - batch.waited;
  }
  return cancelled;
}

async function countWaiting(tx: Tx, projectId: string, endpointId: string): Promise<number> {
  const [row] = await prepared<{ n: number }>(
    tx,
    'SELECT count(*) AS n FROM due_delivery WHERE project_id = $1 AND endpoint_id = $2',
    [projectId, endpointId],
  );
  return row!.n;
}

async function cancelBatch(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  { before, event_types: patterns }: BacklogCancel,
): Promise<{ waited: number; cancelled: number }> {
  const { projectId } = origin;
  if (!(await lockEndpoint(tx, projectId, endpointId))) throw notFound('webhook', endpointId);
  lockFlows(tx, [endpointId]);
  const waiting = await prepared<{ id: string }>(
    tx,
    `SELECT due.id FROM due_delivery due JOIN event e ON e.id = due.event_id
     WHERE due.project_id = $1 AND due.endpoint_id = $2 AND due.lease_until IS NULL
       AND ($3::timestamptz IS NULL OR e.occurred_at < $3)
       AND ($4::text[] IS NULL OR e.type = ANY($4))
     ORDER BY due.id LIMIT ${batchSize} FOR UPDATE OF due`,
    [projectId, endpointId, before ?? null, replayedTypes('failed', patterns ?? null, [])],
  );
  const ended = await endWaiting(tx, waiting, 'cancelled', 'requested');
  recountEvents(tx, ended);
  if (waiting.length > 0) {
    const data = { count: ended.length };
    await record(tx, origin, {
      type: 'webhooks.deliveries.cancelled',
      resourceId: endpointId,
      data,
    });
  }
  return { waited: waiting.length, cancelled: ended.length };
}
