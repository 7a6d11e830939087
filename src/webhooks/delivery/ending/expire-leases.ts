import { shortIdleTimeoutSql } from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { recordExhausted } from '../settling/settle.ts';

/** Number of consecutive expired leases that count as a failed attempt. */
const crashesPerFailure = 3;

interface ExpiredLease {
  id: string;
  event_id: string;
  project_id: string;
  endpoint_id: string;
  attempts: number;
  gave_up: boolean;
}

/**
 * Makes deliveries due again whose lease has expired: immediately and without using a step of the
 * schedule, except that three consecutive times count as a failed attempt. That ends a manual attempt,
 * after which the schedule continues where it stopped. The outcome of the attempt stays unknown.
 * @param schedule seconds before each attempt
 * @returns how many leases had expired
 */
export async function expireDeliveryLeases(tx: Tx, schedule: readonly number[]): Promise<number> {
  send(tx, `SELECT ${shortIdleTimeoutSql}`, []);
  const rows = await prepared<ExpiredLease>(
    tx,
    `WITH late AS (
       SELECT *, counts AND resume_state IS NOT NULL AS by_hand,
         counts AND resume_state IS NULL AND trigger <> 'probe' AS uses_step,
         counts AND resume_state IS NULL AND trigger <> 'probe' AND next_in IS NULL AS gives_up
       FROM (
         SELECT d.*, d.crashes + 1 >= ${crashesPerFailure} AS counts,
           ($1::double precision[])[d.failures + 2] AS next_in
         FROM due_delivery d
         -- Looked up without an order: in key order, all waiting deliveries would be read to find
         -- the few leases.
         WHERE d.id = ANY(ARRAY(SELECT id FROM due_delivery WHERE lease_until < now() LIMIT 1000))
           AND d.lease_until < now()
         ORDER BY d.id FOR UPDATE SKIP LOCKED) locked
     ), begun AS (
       INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, at)
       SELECT event_id, id, attempts, project_id, trigger, begun_at FROM late
       ON CONFLICT (event_id, delivery_id, number) DO NOTHING
     ), ended AS (
       DELETE FROM due_delivery d USING late
       WHERE d.id = late.id AND (late.gives_up OR (late.by_hand AND late.resume_state <> 'pending'))
     ), goes_on AS (
       UPDATE due_delivery d SET
         lease_until = NULL, begun_at = NULL, trigger = NULL,
         failures = d.failures + late.uses_step::integer,
         crashes = CASE WHEN late.counts THEN 0 ELSE d.crashes + 1 END,
         due_at = CASE WHEN late.by_hand THEN d.resume_due_at
           WHEN late.uses_step THEN now() + late.next_in * interval '1 second' ELSE d.due_at END,
         lane = CASE WHEN d.resume_state IS NOT NULL AND NOT late.by_hand THEN 0
           WHEN d.replay_id IS NOT NULL THEN 3 WHEN d.failures > 0 OR late.uses_step THEN 1 ELSE 2 END,
         resume_state = CASE WHEN late.by_hand THEN NULL ELSE d.resume_state END,
         resume_due_at = CASE WHEN late.by_hand THEN NULL ELSE d.resume_due_at END
       FROM late WHERE d.id = late.id AND NOT late.gives_up
         AND NOT (late.by_hand AND late.resume_state <> 'pending')
     ), finished AS (
       UPDATE delivery d SET attempts = late.attempts, finished_at = coalesce(d.finished_at, now()),
         state = CASE WHEN late.gives_up THEN 'exhausted' ELSE late.resume_state END,
         reason = CASE WHEN late.gives_up THEN 'worker_died' ELSE d.reason END
       FROM late WHERE d.event_id = late.event_id AND d.endpoint_id = late.endpoint_id AND d.id = late.id
         AND (late.gives_up OR (late.by_hand AND late.resume_state <> 'pending'))
     )
     SELECT id, event_id, project_id, endpoint_id, attempts, gives_up AS gave_up FROM late`,
    [schedule],
  );
  await recordExhausted(
    tx,
    rows
      .filter(({ gave_up }) => gave_up)
      .map((row) => ({
        id: row.id,
        eventId: row.event_id,
        projectId: row.project_id,
        endpointId: row.endpoint_id,
        attempts: row.attempts,
      })),
  );
  return rows.length;
}
