import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import { sendUpdate } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Replay } from '../../entities/webhooks/replay.ts';
import { record } from '../../outbox/record.ts';
import { endWaiting, lockFlows } from '../delivery/ending/end-deliveries.ts';
import { recountEvents } from '../delivery/settling/published-queries.ts';
import { lockReplay, readOutcomes } from './read.ts';

/**
 * Stops a replay: no more deliveries are queued, and waiting ones are not sent. Attempts in progress
 * are not interrupted.
 * @returns false if it was already cancelled
 * @throws Problem 409 when it has completed
 */
export async function cancelReplay(tx: Tx, origin: Origin, id: string): Promise<boolean> {
  const replay = await lockReplay(tx, origin.projectId, id);
  if (!replay) throw notFound('replay', id);
  if (replay.state === 'cancelled') return false;
  if (replay.state === 'completed') {
    throw new Problem('state_conflict', `The replay '${id}' has completed.`);
  }
  await stopReplay(tx, origin, replay, 'requested');
  return true;
}

/** Cancels a replay that is locked. */
export async function stopReplay(
  tx: Tx,
  origin: Origin,
  replay: Replay,
  reason: NonNullable<Replay['reason']>,
): Promise<void> {
  lockFlows(tx, [replay.endpointId]);
  const waiting = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM due_delivery WHERE project_id = $1 AND replay_id = $2 AND lease_until IS NULL
     ORDER BY id FOR UPDATE`,
    [replay.projectId, replay.id],
  );
  recountEvents(tx, await endWaiting(tx, waiting, 'cancelled', 'replay_cancelled'));
  await finishReplay(tx, origin, replay, 'cancelled', reason);
}

/** Stores and records that a replay has ended, with its outcomes. */
export async function finishReplay(
  tx: Tx,
  origin: Origin,
  replay: Replay,
  state: 'completed' | 'cancelled',
  reason: Replay['reason'],
): Promise<void> {
  replay.state = state;
  const { projectId, id } = replay;
  sendUpdate(tx, Replay, { projectId, id }, { state, reason, walk: [], finishedAt: () => 'now()' });
  const { succeeded } = await readOutcomes(tx, replay);
  await record(tx, origin, {
    type: 'webhooks.replay.completed',
    resourceId: replay.id,
    data: { webhook_id: replay.endpointId, matched: replay.matched, state, succeeded },
  });
}
