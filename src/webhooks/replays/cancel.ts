import type { Origin } from '../../contracts/origin.ts';
import { notFound, Problem } from '../../contracts/problems.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Replay } from '../../entities/replay.ts';
import { record } from '../../outbox/record.ts';
import { endWaiting, lockFlows } from '../delivery/ending/end-deliveries.ts';
import { recountEvents } from '../delivery/settling/published.ts';
import { lockReplay, readOutcomes } from './read.ts';

/**
 * Stops a replay: nothing more is queued, and what waits is not sent; what is under way is not called
 * back.
 * @returns whether this changed anything: false when it had been cancelled before
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

/** The part of cancelling that follows the lock on the replay. */
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

/** Says that a replay has ended, and what it has come to. */
export async function finishReplay(
  tx: Tx,
  origin: Origin,
  replay: Replay,
  state: 'completed' | 'cancelled',
  reason: Replay['reason'],
): Promise<void> {
  replay.state = state;
  await prepared(
    tx,
    `UPDATE replay SET state = $3, reason = $4, walk = '[]', finished_at = now()
     WHERE project_id = $1 AND id = $2`,
    [replay.projectId, replay.id, state, reason],
  );
  const { succeeded } = await readOutcomes(tx, replay);
  await record(tx, origin, {
    type: 'webhooks.replay.completed',
    resourceId: replay.id,
    data: { webhook_id: replay.endpointId, matched: replay.matched, state, succeeded },
  });
}
