import { newId } from '../../contracts/ids.ts';
import type { Origin } from '../../contracts/origin.ts';
import { typesIn } from '../../contracts/patterns.ts';
import { invalid, notFound, Problem } from '../../contracts/problems.ts';
import type { ReplayCreate, ReplayPreview } from '../../contracts/wire/replays.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Stretch } from '../../entities/replay.ts';
import type { WebhookEndpoint } from '../../entities/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { typeFaults } from '../endpoints/faults.ts';
import { countWanted, typesOf, type Wanted } from './select.ts';

/** Before the first event of all. */
const earliest = new Date('1970-01-02T00:00:00Z');

/** A replay as it would be: what it would send, and how much that is. */
export interface Plan {
  wanted: Wanted;
  eventTypes: string[] | null;
  matched: number;
  walk: Stretch[];
}

/**
 * Counts what a replay would send now, and makes nothing. Of what failed, audit events are part only
 * for who may read them.
 * @throws Problem 422 with every fault of the body
 */
export async function planReplay(
  tx: Tx,
  endpoint: WebhookEndpoint,
  given: ReplayCreate,
  { readsAudit }: { readsAudit: boolean },
): Promise<Plan> {
  // To the next millisecond: what has just happened has happened before it.
  const [clock] = await prepared<{ now: Date }>(
    tx,
    `SELECT date_trunc('milliseconds', now() + interval '999 microseconds') AS now`,
    [],
  );
  const { now } = clock!;
  const since = later(new Date(given.since), earliest);
  const until = given.until === undefined ? now : earlier(new Date(given.until), now);
  const faults = typeFaults(given.event_types ?? []);
  if (until <= since) {
    const detail = 'The range is empty: since must lie in the past, and before until.';
    const pointer = since >= now ? '/since' : '/until';
    faults.push({ pointer, code: 'range_empty', detail });
  }
  if (faults.length > 0) throw invalid(faults);
  const eventTypes = given.event_types ?? null;
  const wanted: Wanted = {
    projectId: endpoint.projectId,
    endpointId: endpoint.id,
    selection: given.only,
    since,
    until,
    types:
      typesOf(given.only, eventTypes, endpoint.eventTypes) ??
      (readsAudit ? null : typesIn('domain')),
    filter: given.only === 'failed' ? null : endpoint.filter,
    createdAt: now,
  };
  return { wanted, eventTypes, ...(await countWanted(tx, wanted)) };
}

/** What a plan comes to, as a dry run answers. */
export function presentPlan({ wanted, eventTypes, matched }: Plan): ReplayPreview {
  return {
    only: wanted.selection,
    since: wanted.since.toISOString(),
    until: wanted.until.toISOString(),
    event_types: eventTypes,
    matched,
  };
}

/**
 * Starts a replay: what was planned is sent batch by batch, behind what is new.
 * @returns its identifier
 * @throws Problem 409 when the endpoint is disabled, or another replay to it is running
 */
export async function startReplay(
  tx: Tx,
  origin: Origin,
  { wanted, eventTypes, matched, walk }: Plan,
): Promise<string> {
  const { projectId, endpointId } = wanted;
  // Alone, so that of two requests one sees the other's replay.
  const [endpoint] = await prepared<Pick<WebhookEndpoint, 'state'>>(
    tx,
    'SELECT state FROM webhook_endpoint WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [projectId, endpointId],
  );
  if (!endpoint) throw notFound('webhook', endpointId);
  if (endpoint.state === 'disabled') {
    throw new Problem('state_conflict', 'The webhook is disabled; enable it first.');
  }
  const [running] = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM replay WHERE project_id = $1 AND endpoint_id = $2 AND state = 'running'`,
    [projectId, endpointId],
  );
  if (running) {
    const detail = `The replay '${running.id}' to this webhook is still running; wait for it, or cancel it.`;
    throw new Problem('state_conflict', detail, { extra: { replay_id: running.id } });
  }
  const id = newId('replay');
  await prepared(
    tx,
    `INSERT INTO replay (id, project_id, endpoint_id, selection, since, until, event_types, types,
       filter, walk, matched, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      projectId,
      endpointId,
      wanted.selection,
      wanted.since,
      wanted.until,
      eventTypes,
      wanted.types,
      wanted.filter === null ? null : JSON.stringify(wanted.filter),
      JSON.stringify(walk),
      matched,
      wanted.createdAt,
    ],
  );
  await schedule(tx, projectId, id, { kind: 'webhook.replay', payload: { replay_id: id } });
  await record(tx, origin, {
    type: 'webhooks.replay.started',
    resourceId: id,
    data: { webhook_id: endpointId, matched },
  });
  return id;
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
