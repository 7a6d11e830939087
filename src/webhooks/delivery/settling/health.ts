import { type Origin, systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { type EndpointKey, lockFlows, skipDeliveries } from '../ending/end-deliveries.ts';
import { scheduleEnding } from '../ending/schedule-ending.ts';
import { failingLongSql, maxFailureGap } from '../flow-limits.ts';
import type { AttemptVerdict } from './verdict.ts';

/** Number of consecutive failures that open an endpoint's circuit. */
const failuresToOpen = 10;
const firstHoldSeconds = 10;
const maxHoldSeconds = 300;
/** The minimum interval at which continuous success is stored. */
const successInterval = '10 seconds';

/** The flows that a success changes, in SQL over a flow `f` and its endpoint `e`. */
const successChangesFlow = `(f.failures_in_row > 0 OR f.failing_since IS NOT NULL
         OR f.window_size < e.max_in_flight OR f.last_success_at IS NULL
         OR f.last_success_at < now() - interval '${successInterval}')`;

/**
 * Stores that all attempts at endpoints have succeeded, as `storeHealth` does. Flows are found by
 * index and locked in the order of their identifiers.
 */
export function storeSuccesses(tx: Tx, endpointIds: readonly string[]): void {
  send(
    tx,
    `UPDATE webhook_flow f SET failures_in_row = 0, hold_seconds = NULL, held_until = NULL,
       failing_since = NULL, last_success_at = now(),
       window_size = least(2 * f.window_size, e.max_in_flight)
     FROM webhook_endpoint e
     WHERE f.endpoint_id = ANY($1) AND e.id = f.endpoint_id AND e.id = ANY($1) AND ${successChangesFlow}`,
    [endpointIds],
  );
}

/**
 * Stores the effect of attempts on their endpoints; call it before the deliveries are stored. A
 * success closes the circuit, resets failures and doubles the window of concurrent attempts. The
 * tenth consecutive failure opens the circuit: then one attempt at a time is made, and only one
 * probe begins after each pause, which grows from 10 s to 5 min.
 */
export function storeHealth(tx: Tx, verdicts: readonly AttemptVerdict[]): void {
  const outcomes = new Map<string, { succeeded: boolean; error: AttemptVerdict['error'] }>();
  for (const { delivery, succeeded, error } of verdicts) {
    const outcome = outcomes.get(delivery.endpoint.id) ?? { succeeded: false, error: null };
    if (succeeded) outcome.succeeded = true;
    outcomes.set(delivery.endpoint.id, { ...outcome, error: error ?? outcome.error });
  }
  const all = [...outcomes];
  const failures = verdicts.filter(({ succeeded }) => !succeeded);
  send(
    tx,
    `WITH failures AS (
       -- Excludes attempts whose lease is lost, or that were already stored by a transaction whose
       -- commit was not confirmed. Not locked: flows are locked before due rows.
       SELECT v.endpoint_id, count(*)::integer AS failed
       FROM unnest($4::text[], $5::integer[], $6::text[]) AS v (id, epoch, endpoint_id)
       JOIN due_delivery d ON d.id = v.id
       WHERE d.id = ANY($4) AND d.lease_epoch = v.epoch AND d.begun_at IS NOT NULL
       GROUP BY v.endpoint_id
     ), given AS (
       SELECT g.*, coalesce(v.failed, 0) AS failed, e.max_in_flight
       FROM unnest($1::text[], $2::boolean[], $3::jsonb[]) AS g (id, succeeded, error)
       JOIN webhook_flow f ON f.endpoint_id = g.id JOIN webhook_endpoint e ON e.id = g.id
       LEFT JOIN failures v ON v.endpoint_id = g.id
       WHERE f.endpoint_id = ANY($1) AND e.id = ANY($1)
         AND CASE WHEN g.succeeded THEN ${successChangesFlow} ELSE v.failed > 0 END
       ORDER BY f.endpoint_id FOR NO KEY UPDATE OF f
     ), judged AS (
       SELECT given.*, CASE WHEN given.succeeded THEN 0 ELSE f.failures_in_row + given.failed END AS in_row,
         CASE WHEN given.succeeded OR f.failures_in_row + given.failed < ${failuresToOpen} THEN NULL
           WHEN f.hold_seconds IS NULL THEN ${firstHoldSeconds}
           WHEN f.held_until <= now() THEN least(${maxHoldSeconds}, 2 * f.hold_seconds)
           ELSE f.hold_seconds END AS hold
       FROM given JOIN webhook_flow f ON f.endpoint_id = given.id
       WHERE f.endpoint_id = ANY($1)
     )
     UPDATE webhook_flow f SET
       failures_in_row = judged.in_row,
       hold_seconds = judged.hold,
       held_until = CASE WHEN judged.hold IS NULL THEN NULL
         WHEN f.held_until > now() THEN f.held_until
         ELSE now() + judged.hold * interval '1 second' END,
       window_size = CASE WHEN judged.succeeded THEN least(2 * f.window_size, judged.max_in_flight)
         WHEN judged.hold IS NOT NULL THEN 1 ELSE f.window_size END,
       failing_since = CASE WHEN judged.succeeded THEN NULL
         WHEN f.last_failure_at >= now() - interval '${maxFailureGap}' THEN coalesce(f.failing_since, now())
         ELSE now() END,
       last_success_at = CASE WHEN judged.succeeded THEN now() ELSE f.last_success_at END,
       last_failure_at = CASE WHEN judged.failed > 0 THEN now() ELSE f.last_failure_at END,
       last_error = coalesce(judged.error, f.last_error)
     FROM judged WHERE f.endpoint_id = judged.id AND f.endpoint_id = ANY($1)`,
    [
      all.map(([id]) => id),
      all.map(([, one]) => one.succeeded),
      all.map(([, { error }]) => (error ? JSON.stringify(error) : null)),
      failures.map(({ delivery }) => delivery.id),
      failures.map(({ delivery }) => delivery.epoch),
      failures.map(({ delivery }) => delivery.endpoint.id),
    ],
  );
}

/**
 * Disables an endpoint. Its deliveries are skipped, with the reason, and can be redelivered: the first
 * batch immediately, the others by a task.
 */
export async function disableEndpoint(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<void> {
  await setDisabled(tx, origin, endpointId, reason);
  lockFlows(tx, [endpointId]);
  const endpoint = { projectId: origin.projectId, id: endpointId };
  if (await skipDeliveries(tx, endpoint)) await scheduleEnding(tx, endpoint);
}

/**
 * Disables endpoints that responded that they are gone, and those that have failed continuously for
 * days. Counts only attempts at the current URL whose lease is still valid: an endpoint that was
 * repaired or has moved since stays enabled.
 * @returns those of the endpoints that are now disabled
 */
export async function disableFailingEndpoints(
  tx: Tx,
  verdicts: readonly AttemptVerdict[],
): Promise<LockedEndpoint[]> {
  const disabling = verdicts.filter(
    ({ delivery, gone, succeeded }) => gone || (delivery.endpoint.failingLong && !succeeded),
  );
  if (disabling.length === 0) return [];
  // Later statements see everything committed before the lock was granted.
  const locked = lockEndpoints(tx, disabling);
  const leases = readLeases(tx, disabling);
  const [endpoints, epochs] = await Promise.all([locked, leases]);
  const disabledEndpoints: LockedEndpoint[] = [];
  for (const endpoint of endpoints) {
    const { id, url, projectId } = endpoint;
    const currentVerdicts = disabling.filter(
      ({ delivery }) =>
        delivery.endpoint.id === id &&
        delivery.endpoint.url === url &&
        epochs.get(delivery.id) === delivery.epoch,
    );
    const gone = currentVerdicts.some((verdict) => verdict.gone);
    const hasSucceeded = verdicts.some(
      ({ delivery, succeeded }) => delivery.endpoint.id === id && succeeded,
    );
    if (gone || (currentVerdicts.length > 0 && !hasSucceeded)) {
      const reason = gone ? 'gone' : 'failing';
      if (await setDisabled(tx, systemOrigin(projectId), id, reason)) {
        endpoint.disabled = true;
        // Attempts at other endpoints are settled in the same transaction.
        await scheduleEnding(tx, endpoint);
      }
    }
    if (endpoint.disabled) disabledEndpoints.push(endpoint);
  }
  return disabledEndpoints;
}

/** An endpoint that is locked until the transaction ends. */
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

/** The epochs of valid leases, by delivery. Not locked: flows come before due rows. */
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
 * Sets an endpoint to disabled, with one event even if many failures arrive at the same time. An
 * endpoint that was enabled again after failing for days stays enabled.
 * @returns whether this disabled it
 */
async function setDisabled(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<boolean> {
  const disabled = await prepared<{ id: string }>(
    tx,
    `UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = $2, updated_at = now(), version = version + 1
     WHERE id = $1 AND state <> 'disabled' AND ($2 <> 'failing' OR EXISTS (
       SELECT FROM webhook_flow f WHERE f.endpoint_id = $1 AND ${failingLongSql}))
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
