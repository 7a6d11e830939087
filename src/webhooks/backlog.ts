import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, validationFailed } from '@scriptorium/contracts/problems';
import type { BacklogCancel } from '@scriptorium/contracts/wire/replays';
import { type InTransaction, prepared, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { endWaiting, lockFlows } from './delivery/ending/end-deliveries.ts';
import { recountEvents } from './delivery/settling/published-queries.ts';
import { typeFaults } from './endpoints/faults.ts';
import { lockEndpoint } from './endpoints/read.ts';
import { replayedTypes } from './replays/select.ts';

/** Maximum number of deliveries that a transaction ends. Their events stay locked until it commits. */
const batchSize = 2_000;

/**
 * Cancels the waiting deliveries of an endpoint, optionally only those of some types or older than
 * a time: they are not sent, and their events are no longer owed. Attempts in progress are not interrupted, and
 * deliveries that only wait for a manual redelivery return to their former state. Works in batches,
 * so that deliveries to other endpoints do not wait.
 * @param inProject runs each batch in a separate transaction
 * @returns how many deliveries were cancelled
 * @throws Problem 422 for unknown types, 404 when the endpoint is removed meanwhile
 */
export async function cancelBacklog(
  inProject: InTransaction,
  origin: Origin,
  endpointId: string,
  filter: BacklogCancel,
): Promise<number> {
  const faults = typeFaults(filter.event_types ?? []);
  if (faults.length > 0) throw validationFailed(faults);
  // Deliveries that are added meanwhile are not cancelled, so that the loop ends.
  let remaining = await inProject((tx) => countWaiting(tx, origin.projectId, endpointId));
  let cancelled = 0;
  while (remaining > 0) {
    const batch = await inProject((tx) => cancelBatch(tx, origin, endpointId, filter));
    cancelled += batch.cancelled;
    remaining = batch.waiting < batchSize ? 0 : remaining - batch.waiting;
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
): Promise<{ waiting: number; cancelled: number }> {
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
  return { waiting: waiting.length, cancelled: ended.length };
}
