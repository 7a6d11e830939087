import type { Origin } from '../contracts/origin.ts';
import { invalid, notFound } from '../contracts/problems.ts';
import type { BacklogCancel } from '../contracts/wire/replays.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { endWaiting, lockFlows } from './end-deliveries.ts';
import { typeFaults } from './endpoints/faults.ts';
import { lockEndpoint } from './endpoints/read.ts';
import { recountEvents } from './published.ts';
import { typesOf } from './replays/select.ts';

/**
 * Ends what waits for an endpoint, or the part of it that is of these types or older than this: it is
 * not sent and no longer counts as owed. What is under way is not called back, and what only waits to
 * be sent once more by hand is what it was before.
 * @returns how many deliveries were cancelled
 * @throws Problem 422 for types that are none
 */
export async function cancelBacklog(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  { before, event_types: patterns }: BacklogCancel,
): Promise<number> {
  const faults = typeFaults(patterns ?? []);
  if (faults.length > 0) throw invalid(faults);
  const { projectId } = origin;
  if (!(await lockEndpoint(tx, projectId, endpointId))) throw notFound('webhook', endpointId);
  lockFlows(tx, [endpointId]);
  const waiting = await prepared<{ id: string }>(
    tx,
    `SELECT due.id FROM due_delivery due JOIN event e ON e.id = due.event_id
     WHERE due.project_id = $1 AND due.endpoint_id = $2 AND due.lease_until IS NULL
       AND ($3::timestamptz IS NULL OR e.occurred_at < $3)
       AND ($4::text[] IS NULL OR e.type = ANY($4))
     ORDER BY due.id FOR UPDATE OF due`,
    [projectId, endpointId, before ?? null, typesOf('failed', patterns ?? null, [])],
  );
  const ended = await endWaiting(tx, waiting, 'cancelled', 'requested');
  recountEvents(tx, ended);
  return ended.length;
}
