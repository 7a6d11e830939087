import type { QueueName } from '../contracts/queues.ts';
import { query, type Tx } from '../db/transaction.ts';

/**
 * Whether a queue is paused, in SQL. It stands in the statements that hand over and claim, so that a
 * pause holds whatever Redis does, and costs nobody a round trip.
 * @param queue a column or a literal
 */
export function isPaused(queue: string): string {
  return `EXISTS (SELECT FROM queue_pause paused WHERE paused.queue = ${queue})`;
}

/**
 * Pauses a queue: nothing more is handed to its workers, and what was is not claimed. What runs goes
 * on. `tx` is the owner's.
 * @returns false when it was paused already
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
 * Ends a pause. What had been handed over before it is handed over again at once, for the hints of
 * then were taken in vain. `tx` is the owner's.
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
