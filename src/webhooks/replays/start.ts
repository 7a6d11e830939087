import { typesIn } from '@scriptorium/contracts/events/patterns';
import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { ReplayCreate, ReplayPreview } from '@scriptorium/contracts/wire/replays';
import { sendInsert } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Replay, type ReplayRange } from '../../entities/webhooks/replay.ts';
import type { WebhookEndpoint } from '../../entities/webhooks/webhook-endpoint.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { typeFaults } from '../endpoints/faults.ts';
import { lockToChange } from '../endpoints/read.ts';
import { countMatches, type ReplayScope, replayedTypes } from './select.ts';

/** Earlier than any event. */
const minSince = new Date('1970-01-02T00:00:00Z');

/** A planned replay: its scope, and the number of its events. */
export interface ReplayPlan {
  scope: ReplayScope;
  eventTypes: string[] | null;
  matched: number;
  walk: ReplayRange[];
}

/**
 * Counts the events that a replay would send now, and creates nothing. Failed audit events are
 * included only for callers that may read them.
 * @throws Problem 422 with every fault of the body
 */
export async function planReplay(
  tx: Tx,
  endpoint: WebhookEndpoint,
  input: ReplayCreate,
  { readsAudit }: { readsAudit: boolean },
): Promise<ReplayPlan> {
  // Rounded up to the next millisecond, so that the latest events are included.
  const [clock] = await prepared<{ now: Date }>(
    tx,
    `SELECT date_trunc('milliseconds', now() + interval '999 microseconds') AS now`,
    [],
  );
  const { now } = clock!;
  const since = latestOf(new Date(input.since), minSince);
  const until = input.until === undefined ? now : earliestOf(new Date(input.until), now);
  const faults = typeFaults(input.event_types ?? []);
  if (until <= since) {
    const detail = 'The range is empty: `since` must be in the past, and before `until`.';
    const pointer = since >= now ? '/since' : '/until';
    faults.push({ pointer, code: 'range_empty', detail });
  }
  if (faults.length > 0) throw validationFailed(faults);
  const eventTypes = input.event_types ?? null;
  const scope: ReplayScope = {
    projectId: endpoint.projectId,
    endpointId: endpoint.id,
    selection: input.only,
    since,
    until,
    types:
      replayedTypes(input.only, eventTypes, endpoint.eventTypes) ??
      (readsAudit ? null : typesIn('domain')),
    filter: input.only === 'failed' ? null : endpoint.filter,
    createdAt: now,
  };
  return { scope, eventTypes, ...(await countMatches(tx, scope)) };
}

/** A plan as a dry run returns it. */
export function presentPlan({ scope, eventTypes, matched }: ReplayPlan): ReplayPreview {
  return {
    only: scope.selection,
    since: scope.since.toISOString(),
    until: scope.until.toISOString(),
    event_types: eventTypes,
    matched,
  };
}

/**
 * Starts a replay. Its deliveries are sent in batches, after those of new events.
 * @returns its identifier
 * @throws Problem 409 when the endpoint is disabled, or another replay to it is running
 */
export async function startReplay(
  tx: Tx,
  origin: Origin,
  { scope, eventTypes, matched, walk }: ReplayPlan,
): Promise<string> {
  const { projectId, endpointId } = scope;
  // Locks, so that the second of two requests sees the replay of the first.
  const endpoint = await lockToChange(tx, projectId, endpointId);
  if (!endpoint) throw notFound('webhook', endpointId);
  if (endpoint.state === 'disabled') {
    throw new Problem('state_conflict', 'The webhook is disabled; enable it first.');
  }
  const running = await tx.findOneBy(Replay, { projectId, endpointId, state: 'running' });
  if (running) {
    const detail = `Replay '${running.id}' to this webhook is still running. Wait for it, or cancel it.`;
    throw new Problem('state_conflict', detail, { extra: { replay_id: running.id } });
  }
  const id = newId('replay');
  sendInsert(tx, Replay, {
    ...scope,
    id,
    eventTypes,
    types: scope.types && [...scope.types],
    walk,
    matched,
  });
  await schedule(tx, projectId, id, { kind: 'webhook.replay', payload: { replay_id: id } });
  await record(tx, origin, {
    type: 'webhooks.replay.started',
    resourceId: id,
    data: { webhook_id: endpointId, matched },
  });
  return id;
}

function latestOf(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function earliestOf(a: Date, b: Date): Date {
  return a < b ? a : b;
}
