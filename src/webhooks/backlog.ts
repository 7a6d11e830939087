import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, validationFailed } from '@scriptorium/contracts/problems';
import type { BacklogCancel } from '@scriptorium/contracts/wire/replays';
import { type InTransaction, prepared, send, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { requireEnabled } from './deliveries/redeliver.ts';
import { endWaiting, lockFlows } from './delivery/ending/end-deliveries.ts';
import { isDeferredSql } from './delivery/flow-limits.ts';
import { recountEvents } from './delivery/settling/published-queries.ts';
import { typeFaults } from './endpoints/faults.ts';
import { lockEndpoint } from './endpoints/read.ts';
import { replayedTypes } from './replays/select.ts';

/**
 * Maximum number of deliveries that a transaction changes. The flow, and the events of deliveries that
 * end, stay locked until it commits.
 */
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

/**
 * Makes the deferred deliveries of an endpoint due now, and ends the wait of its circuit. As with a
 * redelivery, the automatic schedule continues unchanged if the attempt fails. They keep their lane,
 * so that their order, and the limits of the endpoint, stay the same. Works in batches; the event is
 * recorded with the first.
 * @param inProject runs each batch in a separate transaction
 * @returns how many deliveries were deferred
 * @throws Problem 409 when the endpoint is not enabled, 404 when it is removed meanwhile
 */
export async function retryBacklog(
  inProject: InTransaction,
  origin: Origin,
  endpointId: string,
): Promise<number> {
  const deferred = await inProject(async (tx) => {
    const count = await beginRetry(tx, origin, endpointId);
    await retryBatch(tx, origin.projectId, endpointId);
    return count;
  });
  // Deliveries that fail again meanwhile are not retried twice, so that the loop ends.
  for (let remaining = deferred - batchSize; remaining > 0; remaining -= batchSize) {
    await inProject(async (tx) => {
      await lockEnabled(tx, origin.projectId, endpointId);
      await retryBatch(tx, origin.projectId, endpointId);
    });
  }
  return deferred;
}

/** Locks an endpoint and its flow, for deliveries to be made due. */
async function lockEnabled(tx: Tx, projectId: string, endpointId: string): Promise<void> {
  const endpoint = await lockEndpoint(tx, projectId, endpointId);
  if (!endpoint) throw notFound('webhook', endpointId);
  requireEnabled(endpoint);
  lockFlows(tx, [endpointId]);
}

async function beginRetry(tx: Tx, origin: Origin, endpointId: string): Promise<number> {
  const { projectId } = origin;
  await lockEnabled(tx, projectId, endpointId);
  const [row] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM due_delivery due JOIN webhook_flow f ON f.endpoint_id = due.endpoint_id
     WHERE due.project_id = $1 AND due.endpoint_id = $2 AND due.lease_until IS NULL AND ${isDeferredSql}`,
    [projectId, endpointId],
  );
  const count = row!.n;
  if (count === 0) return 0;
  // One delivery tests the endpoint; if it succeeds, the circuit closes.
  send(
    tx,
    'UPDATE webhook_flow SET held_until = now() WHERE endpoint_id = $1 AND held_until > now()',
    [endpointId],
  );
  const type = 'webhooks.deliveries.retried';
  await record(tx, origin, { type, resourceId: endpointId, data: { count } });
  return count;
}

async function retryBatch(tx: Tx, projectId: string, endpointId: string): Promise<void> {
  await prepared(
    tx,
    `WITH waiting AS (
       SELECT id FROM due_delivery WHERE id = ANY(ARRAY(
         SELECT id FROM due_delivery
         WHERE project_id = $1 AND endpoint_id = $2 AND lease_until IS NULL AND due_at > now()
         LIMIT ${batchSize}))
       ORDER BY id FOR UPDATE
     )
     UPDATE due_delivery due SET due_at = now(), resume_state = 'pending', resume_due_at = due.due_at
     FROM waiting WHERE due.id = waiting.id AND due.lease_until IS NULL AND due.due_at > now()`,
    [projectId, endpointId],
  );
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
