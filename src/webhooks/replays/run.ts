import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Replay } from '../../entities/webhooks/replay.ts';
import { schedule } from '../../outbox/schedule.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { recountEvents } from '../delivery/settling/published-queries.ts';
import { lockEndpoint } from '../endpoints/read.ts';
import { finishReplay, stopReplay } from './cancel.ts';
import { lockReplay, readOutcomes } from './read.ts';
import { type FoundEvent, readMatches } from './select.ts';

/**
 * Maximum number of waiting deliveries of a replay, so that few rows are due and cancelling is fast.
 */
const maxWaiting = 10_000;
/** The bounds of the pause before a replay that waits for its deliveries is checked again. */
const [minPauseSeconds, maxPauseSeconds] = [1, 60];

/**
 * Continues a replay: queues the next batch, or ends it. Batch, position and next task commit
 * together, so that a replay whose worker died resumes where it stopped.
 */
export async function runReplay(_deps: object, run: TaskRun<'webhook.replay'>): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockReplay(tx, projectId, payload.replay_id),
    async (tx, replay) => {
      if (!replay) return;
      const dueInSeconds = await advanceReplay(tx, replay, payload.paused_seconds ?? 0);
      if (dueInSeconds === null) return;
      await schedule(tx, projectId, replay.id, {
        kind: 'webhook.replay',
        payload: { ...payload, paused_seconds: dueInSeconds },
        dueInSeconds,
      });
    },
  );
}

/**
 * Runs one step of a replay. Returns the number of seconds until the next step, or null if it has
 * ended.
 */
async function advanceReplay(
  tx: Tx,
  replay: Replay,
  pausedSeconds: number,
): Promise<number | null> {
  const origin = systemOrigin(replay.projectId);
  if (replay.state === 'running') {
    const endpoint = await lockEndpoint(tx, replay.projectId, replay.endpointId);
    if (!endpoint) await stopReplay(tx, origin, replay, 'endpoint_deleted');
    else if (endpoint.state === 'disabled') {
      await stopReplay(tx, origin, replay, 'endpoint_disabled');
    } else if (replay.walk.length > 0) return queueBatch(tx, replay, pausedSeconds);
  }
  const outcomes = await readOutcomes(tx, replay);
  if (outcomes.pending > 0) return secondsUntilNextCheck(replay);
  await prepared(tx, 'UPDATE replay SET outcomes = $3 WHERE project_id = $1 AND id = $2', [
    replay.projectId,
    replay.id,
    JSON.stringify(outcomes),
  ]);
  if (replay.state === 'running') await finishReplay(tx, origin, replay, 'completed', null);
  return null;
}

/**
 * Queues the next batch, unless too many deliveries are already waiting. Each pause is then twice as
 * long as the previous one, because the endpoint may be slow, or paused for days.
 */
async function queueBatch(tx: Tx, replay: Replay, pausedSeconds: number): Promise<number> {
  const [waiting] = await prepared<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM (
       SELECT FROM due_delivery WHERE replay_id = $1 LIMIT ${maxWaiting}) waiting`,
    [replay.id],
  );
  if (waiting!.n >= maxWaiting) {
    return Math.min(Math.max(2 * pausedSeconds, minPauseSeconds), maxPauseSeconds);
  }
  const { found, remaining } = await readMatches(tx, replay, replay.walk);
  const queuedCount = await queueDeliveries(tx, replay, found);
  await prepared(
    tx,
    'UPDATE replay SET walk = $3, queued = queued + $4 WHERE project_id = $1 AND id = $2',
    [replay.projectId, replay.id, JSON.stringify(remaining), queuedCount],
  );
  return remaining.length > 0 ? 0 : minPauseSeconds;
}

/**
 * Inserts the deliveries of a batch, which are served after everything else. A delivery of an event
 * that the endpoint was not owed counts as owed.
 * @returns how many were inserted: each event at most once
 */
async function queueDeliveries(
  tx: Tx,
  replay: Replay,
  events: readonly FoundEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const inserted = await prepared<{ event_id: string }>(
    tx,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $7::text[])
         AS d (id, event_id, ordinal, event_type)
     ), made AS (
       INSERT INTO delivery (id, event_id, event_type, project_id, endpoint_id, replay_id)
       SELECT id, event_id, event_type, $4, $5, $6 FROM given
       ON CONFLICT (event_id, endpoint_id, replay_id) DO NOTHING RETURNING id
     )
     INSERT INTO due_delivery (id, event_id, project_id, endpoint_id, replay_id, ordinal, lane)
     SELECT id, event_id, $4, $5, $6, ordinal, 3 FROM given JOIN made USING (id)
     RETURNING event_id`,
    [
      events.map(() => newId('delivery')),
      events.map(({ eventId }) => eventId),
      events.map(({ ordinal }) => ordinal),
      replay.projectId,
      replay.endpointId,
      replay.id,
      events.map(({ eventType }) => eventType),
    ],
  );
  recountEvents(
    tx,
    inserted.map(({ event_id }) => event_id),
  );
  return inserted.length;
}

/** The pause before the next check, which grows with the age of the replay. */
function secondsUntilNextCheck({ createdAt }: Replay): number {
  const seconds = (Date.now() - createdAt.getTime()) / 1_000;
  return Math.min(Math.max(seconds / 10, minPauseSeconds), maxPauseSeconds);
}
