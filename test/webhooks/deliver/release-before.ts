import { prepared, type Tx } from '../../../src/db/transaction.ts';
import type { ClaimedDelivery } from '../../../src/webhooks/delivery/sending/claim.ts';

/**
 * The statements with which the previous release stores the result of an attempt. During a rollout
 * it runs next to this release on the new schema. It stores every attempt as a row.
 */

/** Stores a success, or a failure after which the delivery continues at once. */
export async function settleAsBefore(
  tx: Tx,
  delivery: ClaimedDelivery,
  status: number,
): Promise<void> {
  const succeeded = status < 300;
  await prepared(
    tx,
    `WITH held AS (
       SELECT g.id, g.epoch, g.reason, g.next_in, g.uses_step, d.resume_state,
         d.resume_state <> 'pending' AND g.ends_as IS DISTINCT FROM 'succeeded' AS in_vain,
         CASE WHEN d.resume_state <> 'pending' AND g.ends_as IS DISTINCT FROM 'succeeded'
           THEN d.resume_state ELSE g.ends_as END AS ends_as
       FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::double precision[], $6::boolean[])
         AS g (id, epoch, ends_as, reason, next_in, uses_step)
       JOIN due_delivery d ON d.id = g.id
       WHERE d.id = ANY($1) AND d.lease_epoch = g.epoch AND d.begun_at IS NOT NULL
       ORDER BY d.id FOR UPDATE OF d
     ), ended AS (
       DELETE FROM due_delivery d USING held
       WHERE d.id = ANY($1) AND d.id = held.id AND held.ends_as IS NOT NULL
       RETURNING d.id, d.event_id, d.endpoint_id, d.attempts, held.ends_as, held.in_vain, held.reason
     ), goes_on AS (
       UPDATE due_delivery d SET
         lease_until = NULL, begun_at = NULL, trigger = NULL, crashes = 0,
         resume_state = NULL, resume_due_at = NULL,
         failures = d.failures + held.uses_step::integer,
         due_at = coalesce(now() + held.next_in * interval '1 second', d.resume_due_at, d.due_at),
         lane = CASE WHEN d.replay_id IS NOT NULL THEN 3 WHEN d.failures > 0 OR held.uses_step THEN 1 ELSE 2 END
       FROM held WHERE d.id = ANY($1) AND d.id = held.id AND held.ends_as IS NULL
     ), finished AS (
       UPDATE delivery d SET state = ended.ends_as, attempts = ended.attempts,
         reason = CASE WHEN ended.in_vain THEN d.reason ELSE ended.reason END,
         finished_at = CASE WHEN ended.in_vain THEN coalesce(d.finished_at, now()) ELSE now() END
       FROM ended WHERE d.event_id = ended.event_id AND d.endpoint_id = ended.endpoint_id AND d.id = ended.id
         AND d.event_id = ANY($9) AND d.event_id BETWEEN $7 AND $8
     )
     SELECT id, epoch, resume_state FROM held`,
    [
      [delivery.id],
      [delivery.epoch],
      [succeeded ? 'succeeded' : null],
      [null],
      [succeeded ? null : 0],
      [!succeeded],
      delivery.eventId,
      delivery.eventId,
      [delivery.eventId],
    ],
  );
  await prepared(
    tx,
    `INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, at, outcome, status,
       duration_ms, timings, error, response_excerpt, next_attempt_at)
     SELECT a.event_id, a.delivery_id, a.number, a.project_id, a.trigger, a.at, a.outcome, a.status,
       a.duration_ms, a.timings, a.error, a.excerpt, now() + a.next_in * interval '1 second'
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[],
       $7::text[], $8::integer[], $9::real[], $10::jsonb[], $11::jsonb[], $12::text[], $13::double precision[])
       AS a (event_id, delivery_id, number, project_id, trigger, at, outcome, status, duration_ms, timings,
         error, excerpt, next_in)
     ON CONFLICT (event_id, delivery_id, number) DO UPDATE SET outcome = excluded.outcome,
       status = excluded.status, duration_ms = excluded.duration_ms, timings = excluded.timings,
       error = excluded.error, response_excerpt = excluded.response_excerpt`,
    [
      [delivery.eventId],
      [delivery.id],
      [delivery.attempt],
      [delivery.endpoint.projectId],
      [delivery.trigger],
      [delivery.begunAt],
      [succeeded ? 'succeeded' : 'failed'],
      [status],
      [1.5],
      [JSON.stringify({ dns: null, connect: null, tls: null, first_byte: 1, total: 1.5 })],
      [succeeded ? null : JSON.stringify({ code: 'status', message: 'It failed.' })],
      [''],
      [succeeded ? null : 0],
    ],
  );
}

/** Stores attempts with an expired lease as having an unknown outcome. */
export async function sweepAsBefore(tx: Tx): Promise<void> {
  await prepared(
    tx,
    `WITH late AS (
       SELECT d.* FROM due_delivery d WHERE d.lease_until < now()
       ORDER BY d.id LIMIT 1000 FOR UPDATE SKIP LOCKED
     ), begun AS (
       INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, at)
       SELECT event_id, id, attempts, project_id, trigger, begun_at FROM late
       ON CONFLICT (event_id, delivery_id, number) DO NOTHING
     )
     UPDATE due_delivery d SET lease_until = NULL, begun_at = NULL, trigger = NULL,
       crashes = d.crashes + 1
     FROM late WHERE d.id = late.id`,
    [],
  );
}
