import type { QueueName } from '@scriptorium/contracts/work/queues';
import { IsNull, Not } from 'typeorm';
import { insertNew, sendUpdate } from '../db/statements/rows.ts';
import type { Tx } from '../db/transaction.ts';
import { QueuePause } from '../entities/outbox/queue-pause.ts';
import { Task } from '../entities/outbox/task.ts';

/**
 * Whether a queue is paused, in SQL. It is part of the statements that hand over and claim, so a
 * pause works without Redis and needs no other round trip.
 * @param queue a column or a literal
 */
export function isPausedSql(queue: string): string {
  return `EXISTS (SELECT FROM queue_pause paused WHERE paused.queue = ${queue})`;
}

/** Whether a queue is paused. */
export async function isQueuePaused(tx: Tx, queue: QueueName): Promise<boolean> {
  return tx.existsBy(QueuePause, { queue });
}

/**
 * Pauses a queue: no more tasks are handed to its workers, and tasks already handed over are not
 * claimed. Running tasks continue. `tx` is the owner's or the API's.
 * @returns false when it was already paused
 */
export function pauseQueue(tx: Tx, queue: QueueName, reason: string | null): Promise<boolean> {
  return insertNew(tx, QueuePause, { queue, reason });
}

/**
 * Resumes a queue. Tasks handed over before the pause are handed over again immediately, because their
 * hints have been consumed. `tx` is the owner's.
 * @returns false when it was not paused
 */
export async function resumeQueue(tx: Tx, queue: QueueName): Promise<boolean> {
  const handedOver = { queue, state: 'pending' as const, handedAt: Not(IsNull()) };
  sendUpdate(tx, Task, handedOver, { handedAt: null });
  return endPause(tx, queue);
}

/**
 * Ends the pause of a queue. Tasks handed over before the pause are handed over again when
 * `recoverUnclaimed` finds them, within 15 seconds. `tx` is the API's, which cannot read tasks.
 * @returns false when it was not paused
 */
export async function endPause(tx: Tx, queue: QueueName): Promise<boolean> {
  const { affected } = await tx.delete(QueuePause, { queue });
  return affected === 1;
}

/** Maximum number of hints for each slot of a live worker. */
export const hintsPerSlot = 4;
/** A worker without a heartbeat for this long does not count. */
export const workerTimeout = '15 seconds';

/**
 * The slots of a queue's live workers, in SQL; none while it is paused.
 * @param queue a parameter or a literal
 */
export function liveSlotsSql(queue: string): string {
  return `(SELECT coalesce(sum(slots), 0)::integer FROM worker
    WHERE queue = ${queue} AND seen_at > now() - interval '${workerTimeout}' AND NOT ${isPausedSql(queue)})`;
}
