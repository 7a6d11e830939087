import { planByIndex } from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { recountEvents } from '../settling/published-queries.ts';

/** An endpoint and its project. The endpoint may have been removed. */
export interface EndpointKey {
  projectId: string;
  id: string;
}

/** Maximum number of deliveries that a statement ends, and a transaction that ends a backlog. */
const batchSize = 1_000;

/**
 * Locks the flows of endpoints before their due rows, as claims do. Claims lock due rows in a
 * different order.
 */
export function lockFlows(tx: Tx, endpointIds: readonly string[]): void {
  send(
    tx,
    `SELECT FROM webhook_flow WHERE endpoint_id = ANY($1) ORDER BY endpoint_id FOR NO KEY UPDATE`,
    [endpointIds],
  );
}

/**
 * Cancels a batch of a removed endpoint's deliveries: first the due ones, including attempts in
 * progress, then the failed ones. Successful ones stay. Events are no longer owed to the endpoint: an
 * event whose other deliveries have all succeeded is published, and an event without other deliveries
 * waits for an acknowledgement.
 * @param after the failed delivery after which to continue
 * @returns the value of `after` for the next batch; null after the last
 */
export async function cancelDeliveries(
  tx: Tx,
  endpoint: EndpointKey,
  after: string,
): Promise<string | null> {
  planByIndex(tx, 'hash');
  // Deliveries that end while the locks are awaited are among the failed ones.
  const [due, failed] = await Promise.all([
    lockBatch(tx, endpoint, dueBatch),
    findFailed(tx, endpoint, after),
  ]);
  cancelDue(tx, endpoint, due);
  if (due.length === batchSize) {
    recountEvents(tx, eventsOf(due));
    return after;
  }
  cancelFailed(tx, endpoint, failed);
  recountEvents(tx, eventsOf([...due, ...failed]));
  return failed.length === batchSize ? failed.at(-1)!.id : null;
}

/** Cancels a batch of deliveries that became due for an endpoint while it was being deleted. */
export async function cancelOrphans(tx: Tx, endpointId: string): Promise<void> {
  const [row] = await prepared<{ project_id: string }>(
    tx,
    'SELECT project_id FROM due_delivery WHERE endpoint_id = $1 LIMIT 1',
    [endpointId],
  );
  if (!row) return;
  const endpoint = { projectId: row.project_id, id: endpointId };
  planByIndex(tx, 'hash');
  const due = await lockBatch(tx, endpoint, dueBatch);
  cancelDue(tx, endpoint, due);
  recountEvents(tx, eventsOf(due));
}

interface DeliveryKey {
  id: string;
  event_id: string;
}

const eventsOf = (deliveries: readonly DeliveryKey[]) => deliveries.map(({ event_id }) => event_id);

/**
 * A batch of an endpoint's due deliveries, in SQL. Waiting deliveries and those in progress have
 * separate indexes.
 */
const batchOf = (lease: 'NULL' | 'NOT NULL'): string => `(SELECT id FROM due_delivery
        WHERE project_id = $1 AND endpoint_id = $2 AND lease_until IS ${lease} LIMIT ${batchSize})`;
const waitingBatch = batchOf('NULL');
const dueBatch = `${waitingBatch} UNION ALL ${batchOf('NOT NULL')} LIMIT ${batchSize}`;

function lockBatch(tx: Tx, { projectId, id }: EndpointKey, batch: string): Promise<DeliveryKey[]> {
  return prepared<DeliveryKey>(
    tx,
    `SELECT id, event_id FROM due_delivery WHERE id = ANY(ARRAY(${batch})) ORDER BY id FOR UPDATE`,
    [projectId, id],
  );
}

function cancelDue(tx: Tx, { id }: EndpointKey, due: readonly DeliveryKey[]): void {
  if (due.length === 0) return;
  send(
    tx,
    `WITH dropped AS (
       DELETE FROM due_delivery WHERE id = ANY($2) RETURNING id, event_id, attempts, resume_state
     )
     UPDATE delivery d SET
       state = CASE WHEN dropped.resume_state = 'succeeded' THEN 'succeeded' ELSE 'cancelled' END,
       reason = 'endpoint_deleted', attempts = dropped.attempts,
       finished_at = coalesce(d.finished_at, now())
     FROM dropped
     WHERE d.event_id = ANY($3)
       AND d.event_id = dropped.event_id AND d.endpoint_id = $1 AND d.id = dropped.id`,
    [id, due.map((row) => row.id), eventsOf(due)],
  );
}

/** The next failed deliveries of an endpoint. */
function findFailed(tx: Tx, { projectId, id }: EndpointKey, after: string): Promise<DeliveryKey[]> {
  return prepared<DeliveryKey>(
    tx,
    `SELECT f.id, f.event_id FROM unnest('{exhausted,skipped}'::text[]) AS s (failed_as), LATERAL (
       SELECT d.id, d.event_id FROM delivery d
       WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.failed_as = s.failed_as AND d.id > $3
       ORDER BY d.id LIMIT ${batchSize}) f
     ORDER BY f.id LIMIT ${batchSize}`,
    [projectId, id, after],
  );
}

function cancelFailed(tx: Tx, { id }: EndpointKey, failed: readonly DeliveryKey[]): void {
  if (failed.length === 0) return;
  send(
    tx,
    `UPDATE delivery SET state = 'cancelled', reason = 'endpoint_deleted',
       finished_at = coalesce(finished_at, now())
     WHERE event_id = ANY($1) AND endpoint_id = $2 AND id = ANY($3)`,
    [eventsOf(failed), id, failed.map((row) => row.id)],
  );
}

/**
 * Skips a batch of the waiting deliveries of a disabled endpoint; lock its flow first. Attempts in
 * progress are not interrupted.
 * @returns whether more may wait
 */
export async function skipDeliveries(tx: Tx, endpoint: EndpointKey): Promise<boolean> {
  const waiting = await lockBatch(tx, endpoint, waitingBatch);
  await endWaiting(tx, waiting, 'skipped', 'endpoint_disabled');
  return waiting.length === batchSize;
}

/**
 * Ends waiting deliveries whose due rows the transaction has locked. Those that only waited for a
 * manual redelivery return to their former state.
 * @returns the events of the deliveries that ended in this state
 */
export async function endWaiting(
  tx: Tx,
  waiting: readonly { id: string }[],
  state: 'skipped' | 'cancelled',
  reason: string,
): Promise<string[]> {
  const ended: string[] = [];
  if (waiting.length > 0) planByIndex(tx, 'hash');
  for (let at = 0; at < waiting.length; at += batchSize) {
    const rows = await prepared<{ event_id: string; so: boolean }>(
      tx,
      `WITH dropped AS (
         DELETE FROM due_delivery WHERE id = ANY($1) AND begun_at IS NULL
         RETURNING id, event_id, endpoint_id, attempts, nullif(resume_state, 'pending') AS resume_state
       )
       UPDATE delivery d SET
         state = coalesce(dropped.resume_state, $2),
         reason = CASE WHEN dropped.resume_state IS NULL THEN $3 ELSE d.reason END,
         attempts = dropped.attempts, finished_at = coalesce(d.finished_at, now())
       FROM dropped
       WHERE d.event_id = ANY(ARRAY(SELECT event_id FROM dropped))
         AND d.event_id = dropped.event_id AND d.endpoint_id = dropped.endpoint_id AND d.id = dropped.id
       RETURNING d.event_id, dropped.resume_state IS NULL AS so`,
      [waiting.slice(at, at + batchSize).map(({ id }) => id), state, reason],
    );
    for (const { event_id, so } of rows) if (so) ended.push(event_id);
  }
  return ended;
}

/**
 * Skips a batch of deliveries that waited until their event expired, in the order of events.
 * @returns how many deliveries were skipped
 */
export async function expireDeliveries(tx: Tx, retentionDays: number): Promise<number> {
  const waiting = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM due_delivery
     WHERE event_id < id_floor('evt', now() - $1 * interval '1 day') AND lease_until IS NULL
     ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED`,
    [retentionDays],
  );
  await endWaiting(tx, waiting, 'skipped', 'expired');
  return waiting.length;
}
