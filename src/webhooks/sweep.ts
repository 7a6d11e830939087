import { systemOrigin } from '../contracts/origin.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { recordExhausted } from './settle.ts';

/** A delivery whose worker died so often in a row has failed an attempt. */
const crashesPerFailure = 3;

interface Swept {
  id: string;
  event_id: string;
  project_id: string;
  endpoint_id: string;
  attempts: number;
  gave_up: boolean;
}

/**
 * Makes deliveries due again whose lease ran out: at once, and without using a step of the schedule,
 * except that every third time in a row counts as a failed attempt. One that somebody asked for is
 * then over, and the schedule goes on where it was.
 * @param schedule seconds before each attempt
 * @returns how many were made due, or exhausted
 */
export async function sweepDeliveryLeases(tx: Tx, schedule: readonly number[]): Promise<number> {
  const rows = await prepared<Swept>(
    tx,
    `UPDATE delivery SET
       state = CASE WHEN d.by_hand THEN delivery.resume_state WHEN d.gives_up THEN 'exhausted' ELSE 'pending' END,
       finished_at = CASE WHEN d.gives_up THEN now() ELSE delivery.finished_at END,
       reason = CASE WHEN d.gives_up THEN 'worker_died' ELSE delivery.reason END,
       failures = delivery.failures + CASE WHEN d.counts AND NOT d.by_hand THEN 1 ELSE 0 END,
       crashes = CASE WHEN d.counts THEN 0 ELSE delivery.crashes + 1 END,
       due_at = CASE WHEN d.by_hand THEN delivery.resume_due_at
         WHEN d.counts THEN now() + coalesce(d.next_in, 0) * interval '1 second' ELSE now() END,
       handed_at = NULL, lease_until = NULL,
       resume_state = CASE WHEN d.by_hand THEN NULL ELSE delivery.resume_state END,
       resume_due_at = CASE WHEN d.by_hand THEN NULL ELSE delivery.resume_due_at END
     FROM (
       SELECT event_id, id, counts, next_in, counts AND resume_state IS NOT NULL AS by_hand,
         counts AND resume_state IS NULL AND next_in IS NULL AS gives_up
       FROM (
         SELECT event_id, id, resume_state, crashes + 1 >= ${crashesPerFailure} AS counts,
           ($1::double precision[])[failures + 2] AS next_in
         FROM delivery WHERE state = 'delivering' AND lease_until < now()
         ORDER BY lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED) late) d
     WHERE delivery.event_id = d.event_id AND delivery.id = d.id
     RETURNING delivery.id, delivery.event_id, delivery.project_id, delivery.endpoint_id,
       delivery.attempts, d.gives_up AS gave_up`,
    [schedule],
  );
  for (const row of rows.filter(({ gave_up }) => gave_up)) {
    const given = { id: row.id, eventId: row.event_id, attempt: row.attempts };
    await recordExhausted(tx, systemOrigin(row.project_id), row.endpoint_id, [given]);
  }
  return rows.length;
}
