import { type Origin, systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { type EndpointKey, lockFlows, skipDeliveries } from '../ending/end-deliveries.ts';
import { endLater } from '../ending/end-later.ts';
import { failingLong } from '../flow-room.ts';
import type { AttemptVerdict } from './verdict.ts';

/**
 * Turns an endpoint off: what is owed to it is skipped, with the reason, until it is redelivered. A
 * batch at once, the rest by a task.
 */
export async function disableEndpoint(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<void> {
  await turnOff(tx, origin, endpointId, reason);
  lockFlows(tx, [endpointId]);
  const endpoint = { projectId: origin.projectId, id: endpointId };
  if (await skipDeliveries(tx, endpoint)) await endLater(tx, endpoint);
}

/**
 * Turns off endpoints that answered that they are gone, and those that have only failed for days.
 * Counts only attempts whose lease still holds, at the present URL: an endpoint that was repaired
 * or has moved since stays on.
 * @returns those of the endpoints that are disabled now
 */
export async function turnOffEndpoints(
  tx: Tx,
  verdicts: readonly AttemptVerdict[],
): Promise<LockedEndpoint[]> {
  const asking = verdicts.filter(
    ({ delivery, gone, succeeded }) => gone || (delivery.endpoint.failingLong && !succeeded),
  );
  if (asking.length === 0) return [];
  // Later statements see everything committed before the lock was granted.
  const locked = lockEndpoints(tx, asking);
  const leases = readLeases(tx, asking);
  const [endpoints, held] = await Promise.all([locked, leases]);
  const off: LockedEndpoint[] = [];
  for (const endpoint of endpoints) {
    const { id, url, projectId } = endpoint;
    const own = asking.filter(
      ({ delivery }) =>
        delivery.endpoint.id === id &&
        delivery.endpoint.url === url &&
        held.get(delivery.id) === delivery.epoch,
    );
    const gone = own.some((verdict) => verdict.gone);
    const succeeds = verdicts.some(
      ({ delivery, succeeded }) => delivery.endpoint.id === id && succeeded,
    );
    if (gone || (own.length > 0 && !succeeds)) {
      const reason = gone ? 'gone' : 'failing';
      if (await turnOff(tx, systemOrigin(projectId), id, reason)) {
        endpoint.disabled = true;
        // Attempts at other endpoints are settled in the same transaction.
        await endLater(tx, endpoint);
      }
    }
    if (endpoint.disabled) off.push(endpoint);
  }
  return off;
}

/** An endpoint as it is until the transaction ends. */
interface LockedEndpoint extends EndpointKey {
  url: string;
  disabled: boolean;
}

/** The endpoints of attempts, in the order of their identifiers. */
function lockEndpoints(tx: Tx, verdicts: readonly AttemptVerdict[]): Promise<LockedEndpoint[]> {
  return prepared<LockedEndpoint>(
    tx,
    `SELECT id, project_id AS "projectId", url, state = 'disabled' AS disabled
     FROM webhook_endpoint WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`,
    [verdicts.map(({ delivery }) => delivery.endpoint.id)],
  );
}

/** The epochs of leases that hold, by delivery. Not locked: flows come before due rows. */
async function readLeases(
  tx: Tx,
  verdicts: readonly AttemptVerdict[],
): Promise<Map<string, number>> {
  const rows = await prepared<{ id: string; epoch: number }>(
    tx,
    `SELECT id, lease_epoch AS epoch FROM due_delivery
     WHERE id = ANY($1) AND begun_at IS NOT NULL`,
    [verdicts.map(({ delivery }) => delivery.id)],
  );
  return new Map(rows.map(({ id, epoch }) => [id, epoch]));
}

/**
 * Disables the endpoint itself, with one event however many failures arrive at once. One that was
 * enabled again since it failed for days stays on.
 * @returns whether this turned it off
 */
async function turnOff(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<boolean> {
  const disabled = await prepared<{ id: string }>(
    tx,
    `UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = $2, updated_at = now(), version = version + 1
     WHERE id = $1 AND state <> 'disabled' AND ($2 <> 'failing' OR EXISTS (
       SELECT FROM webhook_flow f WHERE f.endpoint_id = $1 AND ${failingLong}))
     RETURNING id`,
    [endpointId, reason],
  );
  if (disabled.length === 0) return false;
  await record(tx, origin, {
    type: 'webhooks.endpoint.disabled',
    resourceId: endpointId,
    data: { reason },
  });
  return true;
}
