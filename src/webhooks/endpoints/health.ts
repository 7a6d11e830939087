import type { WebhookRecord } from '../../contracts/wire/webhooks.ts';
import { concluding, prepared, type Tx } from '../../db/transaction.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { failingDays } from '../../outbox/relay/flow-room.ts';
import { findEndpoint, presentEndpoint } from './read.ts';

type Health = WebhookRecord['health'];

interface HealthRow {
  id: string;
  state: Health['state'];
  since: Date | null;
  disables_at: Date | null;
  failures_in_row: number;
  held_until: Date | null;
  pending: number;
  oldest_pending_at: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_error: { code: string; message: string } | null;
}

/** Endpoints as the API shows them, each with how it is doing. */
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

/** How endpoints are doing, by identifier. */
async function readHealth(
  tx: Tx,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Health>> {
  const rows = await prepared<HealthRow>(
    tx,
    `SELECT f.endpoint_id AS id,
       CASE WHEN f.failing_since IS NULL THEN 'healthy'
         WHEN f.failing_since < now() - interval '3 days' THEN 'critical'
         WHEN f.failing_since < now() - interval '1 day' THEN 'warning'
         ELSE 'failing' END AS state,
       f.failing_since AS since,
       CASE WHEN e.state = 'enabled' THEN f.failing_since + interval '${failingDays} days' END AS disables_at,
       f.failures_in_row, f.held_until, f.last_success_at, f.last_failure_at, f.last_error, waiting.*
     FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id, LATERAL (
       SELECT count(*) AS pending,
         (SELECT occurred_at FROM event WHERE id = min(d.event_id)) AS oldest_pending_at
       FROM (
         -- Apart, since each has an index of its own, and nothing has one for both.
         SELECT event_id FROM due_delivery
         WHERE project_id = f.project_id AND endpoint_id = f.endpoint_id AND lease_until IS NULL
         UNION ALL
         SELECT event_id FROM due_delivery
         WHERE project_id = f.project_id AND endpoint_id = f.endpoint_id AND lease_until IS NOT NULL) d) waiting
     WHERE f.project_id = $1 AND f.endpoint_id = ANY($2)`,
    [projectId, ids],
  );
  return new Map(rows.map((row) => [row.id, presentHealth(row)]));
}

/** An endpoint of the project as the API shows it, in one round trip; null when there is none. */
export async function showEndpoint(
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

/** An endpoint that was just changed, as the API shows it: the last thing that is asked for. */
export async function showChanged(
  tx: Tx,
  { projectId, id }: Pick<WebhookEndpoint, 'projectId' | 'id'>,
): Promise<WebhookRecord> {
  const shown = await concluding(tx, () => showEndpoint(tx, projectId, id));
  if (!shown) throw new Error(`The webhook '${id}' was changed and is not there.`);
  return shown;
}

/** One endpoint as the API shows it. */
export async function describeEndpoint(tx: Tx, endpoint: WebhookEndpoint): Promise<WebhookRecord> {
  return (await describeEndpoints(tx, [endpoint]))[0]!;
}

function presentHealth(row: HealthRow): Health {
  return {
    state: row.state,
    since: row.since?.toISOString() ?? null,
    disables_at: row.disables_at?.toISOString() ?? null,
    failures_in_row: row.failures_in_row,
    held_until: row.held_until?.toISOString() ?? null,
    pending: row.pending,
    oldest_pending_at: row.oldest_pending_at?.toISOString() ?? null,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    last_failure_at: row.last_failure_at?.toISOString() ?? null,
    last_error: row.last_error,
  };
}
