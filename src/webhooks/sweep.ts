import { prepared, type Tx } from '../db/transaction.ts';

/** A delivery whose worker died so often in a row has failed an attempt. */
const crashesPerFailure = 3;

/**
 * Makes deliveries due again whose lease ran out: at once, and without using a step of the schedule,
 * except that every third time in a row counts as a failed attempt.
 * @param schedule seconds before each attempt
 * @returns how many were made due, or exhausted
 */
export async function sweepDeliveryLeases(tx: Tx, schedule: readonly number[]): Promise<number> {
  const rows = await prepared<{ id: string }>(
    tx,
    `UPDATE delivery SET
       state = CASE WHEN d.counts AND d.next_in IS NULL THEN 'exhausted' ELSE 'pending' END,
       finished_at = CASE WHEN d.counts AND d.next_in IS NULL THEN now() END,
       reason = CASE WHEN d.counts AND d.next_in IS NULL THEN 'worker_died' END,
       failures = delivery.failures + CASE WHEN d.counts THEN 1 ELSE 0 END,
       crashes = CASE WHEN d.counts THEN 0 ELSE delivery.crashes + 1 END,
       due_at = now() + CASE WHEN d.counts THEN coalesce(d.next_in, 0) ELSE 0 END * interval '1 second',
       handed_at = NULL, lease_until = NULL
     FROM (
       SELECT event_id, id, crashes + 1 >= ${crashesPerFailure} AS counts,
         ($1::double precision[])[failures + 2] AS next_in
       FROM delivery WHERE state = 'delivering' AND lease_until < now()
       ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED) d
     WHERE delivery.event_id = d.event_id AND delivery.id = d.id
     RETURNING delivery.id`,
    [schedule],
  );
  return rows.length;
}
