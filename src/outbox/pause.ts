import type { QueueName } from '../contracts/work/queues.ts';
import { query, type Tx } from '../db/transaction.ts';

/**
 * Whether a queue is paused, in SQL. It is part of the statements that hand over and claim, so a
 * pause holds whatever the state of Redis, without another round trip.
 * @param queue a column or a literal
 */
export function isPaused(queue: string): string {
  return `EXISTS (SELECT FROM queue_pause paused WHERE paused.queue = ${queue})`;
}

/**
 * Pauses a queue: nothing more is handed to its workers, and what was handed over is not claimed.
 * Running work continues. `tx` is the owner's.
 * @returns false when it was already paused
 */
export async function pauseQueue(
  tx: Tx,
  queue: QueueName,
  reason: string | null,
): Promise<boolean> {
  const rows = await query(
    tx,
    `INSERT INTO queue_pause (queue, reason) VALUES ($1, $2) ON CONFLICT (queue) DO NOTHING RETURNING queue`,
    [queue, reason],
  );
  return rows.length === 1;
}

/**
 * Resumes a queue. What was handed over before the pause is handed over again at once, since its
 * hints have been consumed. `tx` is the owner's.
 * @returns false when it was not paused
 */
export async function resumeQueue(tx: Tx, queue: QueueName): Promise<boolean> {
  const rows = await query(tx, 'DELETE FROM queue_pause WHERE queue = $1 RETURNING queue', [queue]);
  await query(
    tx,
    `UPDATE task SET handed_at = NULL WHERE queue = $1 AND state = 'pending' AND handed_at IS NOT NULL`,
    [queue],
  );
  return rows.length === 1;
}
