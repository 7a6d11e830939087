import { Problem } from '@scriptorium/contracts/problems';
import type { WebhookRecord } from '@scriptorium/contracts/wire/webhooks';
import { commitWith, prepared, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { disableAfterDays, isDeferredSql, maxFailureGap } from '../delivery/flow-limits.ts';
import { lastHourSql } from '../stats/read.ts';
import { findEndpoint, presentEndpoint } from './read.ts';

/** The share of failed attempts within an hour from which an endpoint is degraded. */
const degradedShare = 0.05;

type Health = WebhookRecord['health'];

interface HealthRow {
  id: string;
  state: Health['state'];
  since: Date | null;
  disables_at: Date | null;
  failures_in_row: number;
  held_until: Date | null;
  pending: number;
  deferred: number;
  oldest_pending_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_error: { code: string; message: string } | null;
  /** In the last hour. */
  attempts: number;
  failed: number;
}

/** Endpoints as the API shows them, each with its health. */
export async function describeEndpoints(
  tx: Tx,
  endpoints: readonly WebhookEndpoint[],
): Promise<WebhookRecord[]> {
  if (endpoints.length === 0) return [];
  const { projectId } = endpoints[0]!;
  const health = await readHealth(
    tx,
    projectId,
    endpoints.map(({ id }) => id),
  );
  return endpoints.map((endpoint) => presentEndpoint(endpoint, health.get(endpoint.id)!));
}

/** The health of endpoints, by identifier. */
async function readHealth(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Health>> {
  const rows = await prepared<HealthRow>(
    tx,
    `SELECT f.endpoint_id AS id,
       CASE WHEN f.failing_since IS NULL THEN CASE
           WHEN lately.failed > 0 AND lately.failed >= ${degradedShare} * lately.attempts THEN 'degraded'
           ELSE 'healthy' END
         WHEN f.failing_since < now() - interval '3 days' THEN 'critical'
         WHEN f.failing_since < now() - interval '1 day' THEN 'warning'
         ELSE 'failing' END AS state,
       f.failing_since AS since,
       CASE WHEN e.state = 'enabled' AND f.last_failure_at >= now() - interval '${maxFailureGap}'
         THEN f.failing_since + interval '${disableAfterDays} days' END AS disables_at,
       f.failures_in_row, CASE WHEN f.held_until > now() THEN f.held_until END AS held_until,
       f.last_success_at, f.last_failure_at, f.last_error, waiting.*, lately.*
     FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id, LATERAL (
       SELECT count(*) AS pending, count(*) FILTER (WHERE d.deferred) AS deferred,
         (SELECT occurred_at FROM event WHERE id = min(d.event_id)) AS oldest_pending_at
       FROM (
         -- Separate queries, because each has an index and no index covers both.
         SELECT due.event_id, ${isDeferredSql} AS deferred FROM due_delivery due
         WHERE project_id = f.project_id AND endpoint_id = f.endpoint_id AND lease_until IS NULL
         UNION ALL
         SELECT event_id, false FROM due_delivery
         WHERE project_id = f.project_id AND endpoint_id = f.endpoint_id AND lease_until IS NOT NULL) d) waiting,
       LATERAL (${lastHourSql}) lately
     WHERE f.project_id = $1 AND f.endpoint_id = ANY($2)`,
    [projectId, ids],
  );
  return new Map(rows.map((row) => [row.id, presentHealth(row)]));
}

/** An endpoint of the project as the API shows it, in one round trip, or null. */
export async function readEndpointRecord(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<WebhookRecord | null> {
  const [endpoint, health] = await Promise.all([
    findEndpoint(tx, projectId, id),
    readHealth(tx, projectId, [id]),
  ]);
  return endpoint && presentEndpoint(endpoint, health.get(id)!);
}

/**
 * Reads an endpoint after `changeEndpoint`, as the API shows it, and commits the transaction.
 * @throws Problem 412 if it was not changed
 */
export async function readChangedEndpoint(
  tx: Tx,
  { projectId, id, version }: WebhookEndpoint,
): Promise<WebhookRecord> {
  const updated = await commitWith(tx, () => readEndpointRecord(tx, projectId, id));
  if (updated?.version !== version + 1) throw endpointChangedProblem();
  return updated;
}

/** One endpoint as the API shows it. */
export async function describeEndpoint(tx: Tx, endpoint: WebhookEndpoint): Promise<WebhookRecord> {
  return (await describeEndpoints(tx, [endpoint]))[0]!;
}

/** Another request has changed or removed the endpoint since it was read. */
export function endpointChangedProblem(): Problem {
  return new Problem('etag_mismatch', 'The webhook has changed since it was read; read it again.');
}

function presentHealth(row: HealthRow): Health {
  return {
    state: row.state,
    since: row.since?.toISOString() ?? null,
    disables_at: row.disables_at?.toISOString() ?? null,
    failures_in_row: row.failures_in_row,
    held_until: row.held_until?.toISOString() ?? null,
    pending: row.pending,
    deferred: row.deferred,
    oldest_pending_at: row.oldest_pending_at?.toISOString() ?? null,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_failure_at: row.last_failure_at?.toISOString() ?? null,
    last_error: row.last_error,
    last_hour: { attempts: row.attempts, failed: row.failed },
  };
}
