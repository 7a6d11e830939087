import type { QueueName } from '@scriptorium/contracts/work/queues';
import { IsNull, Not } from 'typeorm';
import { insertNew, sendUpdate } from '../db/statements/rows.ts';
import type { Tx } from '../db/transaction.ts';
import { QueuePause } from '../entities/outbox/queue-pause.ts';
import { Task } from '../entities/outbox/task.ts';

/**
 * Whether a queue is paused, in SQL. It is part of the statements that hand over and claim, so a
 * pause holds whatever the state of Redis, without another round trip.
 * @param queue a column or a literal
 */
export function isPaused(queue: string): string {
  return `EXISTS (SELECT FROM queue_pause paused WHERE paused.queue = ${queue})`;
}

/** Whether a queue is paused. */
export async function isQueuePaused(tx: Tx, queue: QueueName): Promise<boolean> {
  return tx.existsBy(QueuePause, { queue });
}

/**
 * Pauses a queue: nothing more is handed to its workers, and what was handed over is not claimed.
 * Running work continues. `tx` is the owner's or the API's.
 * @returns false when it was already paused
 */
export function pauseQueue(tx: Tx, queue: QueueName, reason: string | null): Promise<boolean> {
  return insertNew(tx, QueuePause, { queue, reason });
}

/**
 * Resumes a queue. What was handed over before the pause is handed over again at once, since its
 * hints have been consumed. `tx` is the owner's.
 * @returns false when it was not paused
 */
export async function resumeQueue(tx: Tx, queue: QueueName): Promise<boolean> {
  const handedOver = { queue, state: 'pending' as const, handedAt: Not(IsNull()) };
  sendUpdate(tx, Task, handedOver, { handedAt: null });
  return endPause(tx, queue);
}

/**
 * Ends the pause of a queue. What was handed over before the pause is handed over again once
 * `recoverUnclaimed` finds it, within 15 seconds. `tx` is the API's, which sees no tasks.
 * @returns false when it was not paused
 */
export async function endPause(tx: Tx, queue: QueueName): Promise<boolean> {
  const { affected } = await tx.delete(QueuePause, { queue });
  return affected === 1;
}

/** Hints that may be out for each slot of a live worker. */
export const hintsPerSlot = 4;
/** A worker without a heartbeat for this long does not count. */
export const workerSilence = '15 seconds';

/**
 * The slots of a queue's live workers, in SQL; none while it is paused.
 * @param queue a parameter or a literal
 */
export function slotsOf(queue: string): string {
  return `(SELECT coalesce(sum(slots), 0)::integer FROM worker
    WHERE queue = ${queue} AND seen_at > now() - interval '${workerSilence}' AND NOT ${isPaused(queue)})`;
}
