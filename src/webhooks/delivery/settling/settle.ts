import { systemOrigin } from '@scriptorium/contracts/origin';
import {
  planByIndex,
  shortIdleTimeoutSql,
  shortLockTimeoutSql,
} from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { idRange } from '../../../outbox/relay/number.ts';
import type { DialResult } from '../../dialing/dial.ts';
import { cellOf, tallyAttempts } from '../../stats/tally.ts';
import type { ClaimedDelivery } from '../sending/claim.ts';
import { disableFailingEndpoints, storeHealth } from './health.ts';
import { lockOriginals, settleOriginals } from './original-queries.ts';
import { countDelivered, lockEvents, recountEvents } from './published-queries.ts';
import {
  type AttemptVerdict,
  judgeAttempt,
  type SentAttempt,
  withoutDisabling,
} from './verdict.ts';

/**
 * Stores the outcomes of attempts at any endpoints in one transaction: the deliveries, guarded by
 * their epochs, with their first attempts; further attempts; the events that are published; and the
 * effect of the responses on the endpoints. An attempt whose lease was lost changes only its own
 * row.
 */
export async function settleDeliveries(
  tx: Tx,
  sent: readonly SentAttempt[],
  schedule: readonly number[],
): Promise<void> {
  if (sent.length === 0) return;
  planByIndex(tx, 'hash', shortIdleTimeoutSql, shortLockTimeoutSql);
  const judged = sent.map((item) => judgeAttempt(item, schedule));
  // Endpoints, their flows, due rows, deliveries, events: all transactions lock them in this order,
  // to avoid deadlocks.
  const disabledEndpoints = await disableFailingEndpoints(tx, judged);
  const isGone = ({ gone, delivery: { endpoint } }: AttemptVerdict) =>
    gone && disabledEndpoints.some(({ id, url }) => id === endpoint.id && url === endpoint.url);
  const verdicts = judged.map((verdict) => (isGone(verdict) ? verdict : withoutDisabling(verdict)));
  const originals = await lockOriginals(tx, verdicts);
  storeHealth(tx, verdicts);
  const storedDeliveries = await storeDeliveries(tx, verdicts);
  // A late attempt and its successor may be settled together.
  const holdsLease = ({ delivery }: AttemptVerdict) =>
    storedDeliveries.get(delivery.id)?.epoch === delivery.epoch;
  // After the due rows: `expireDeliveryLeases` locks those when it writes attempts.
  await storeAttempts(
    tx,
    verdicts.filter((verdict) => verdict.delivery.attempt > 1 || !holdsLease(verdict)),
  );
  tallyAttempts(
    tx,
    verdicts.filter((verdict) => verdict.delivery.attempt === 1 && holdsLease(verdict)),
  );
  const currentVerdicts = verdicts.filter(holdsLease).map((verdict) => ({
    ...verdict,
    resumeState: storedDeliveries.get(verdict.delivery.id)!.resume_state,
  }));
  const succeeded = currentVerdicts.filter((verdict) => verdict.succeeded);
  settleOriginals(tx, originals, succeeded);
  const eventsOf = (attempts: readonly AttemptVerdict[]) =>
    attempts.map(({ delivery }) => delivery.eventId);
  // Deliveries that were not owed may count from now on, and replayed ones may count already.
  const toRecount = succeeded.filter(
    ({ delivery, resumeState }) => delivery.replayId !== null || resumeState === 'cancelled',
  );
  const firstSuccesses = succeeded.filter(
    // A delivery that had succeeded before its redelivery is already counted.
    (verdict) => !toRecount.includes(verdict) && verdict.resumeState !== 'succeeded',
  );
  if (toRecount.length > 0) lockEvents(tx, eventsOf(succeeded));
  countDelivered(tx, eventsOf(firstSuccesses));
  recountEvents(tx, eventsOf(toRecount));
  const exhausted = currentVerdicts.filter(
    (verdict) =>
      verdict.exhausted && !verdict.gone && (verdict.resumeState ?? 'pending') === 'pending',
  );
  await recordExhausted(
    tx,
    exhausted.map(({ delivery }) => ({
      id: delivery.id,
      eventId: delivery.eventId,
      projectId: delivery.endpoint.projectId,
      endpointId: delivery.endpoint.id,
      attempts: delivery.attempt,
    })),
  );
}

/**
 * Stores and counts attempts as separate rows: all but the first, and first ones whose lease was
 * lost. Skips rows already stored by a transaction whose commit was not confirmed.
 */
async function storeAttempts(tx: Tx, verdicts: readonly AttemptVerdict[]): Promise<void> {
  if (verdicts.length === 0) return;
  const firsts = verdicts.filter(({ delivery }) => delivery.attempt === 1);
  const inlineIds = await findStoredInline(tx, firsts);
  const separateVerdicts = verdicts.filter(
    ({ delivery }) => delivery.attempt > 1 || !inlineIds.has(delivery.id),
  );
  send(
    tx,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[],
         $6::timestamptz[], $7::text[], $8::integer[], $9::real[], $10::jsonb[], $11::jsonb[], $12::text[],
         $13::double precision[], $14::text[], $15::smallint[])
         AS a (event_id, delivery_id, number, project_id, trigger, at, outcome, status, duration_ms, timings,
           error, excerpt, next_in, endpoint_id, cell)
     ), stored AS (
       INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, at, outcome, status,
         duration_ms, timings, error, response_excerpt, next_attempt_at)
       SELECT a.event_id, a.delivery_id, a.number, a.project_id, a.trigger, a.at, a.outcome, a.status,
         a.duration_ms, a.timings, a.error, a.excerpt, now() + a.next_in * interval '1 second'
       FROM given a
       -- If its worker was considered dead, the row shows an unknown outcome.
       ON CONFLICT (event_id, delivery_id, number) DO UPDATE SET outcome = excluded.outcome,
         status = excluded.status, duration_ms = excluded.duration_ms, timings = excluded.timings,
         error = excluded.error, response_excerpt = excluded.response_excerpt
       WHERE attempt.outcome = 'unknown'
       RETURNING event_id, delivery_id, number
     )
     INSERT INTO webhook_tally (project_id, endpoint_id, cells, response_ms)
     SELECT a.project_id, a.endpoint_id, array_agg(a.cell),
       coalesce(sum(a.duration_ms) FILTER (WHERE a.status IS NOT NULL), 0)
     FROM given a JOIN stored USING (event_id, delivery_id, number)
     GROUP BY a.project_id, a.endpoint_id`,
    [
      separateVerdicts.map(({ delivery }) => delivery.eventId),
      separateVerdicts.map(({ delivery }) => delivery.id),
      separateVerdicts.map(({ delivery }) => delivery.attempt),
      separateVerdicts.map(({ delivery }) => delivery.endpoint.projectId),
      separateVerdicts.map(({ delivery }) => delivery.trigger),
      separateVerdicts.map(({ delivery }) => delivery.begunAt),
      separateVerdicts.map(({ succeeded }) => (succeeded ? 'succeeded' : 'failed')),
      separateVerdicts.map(({ result }) => statusOf(result)),
      separateVerdicts.map(({ result }) => result.timings?.total ?? null),
      separateVerdicts.map(({ result }) =>
        result.timings ? JSON.stringify(result.timings) : null,
      ),
      separateVerdicts.map(({ error }) => (error ? JSON.stringify(error) : null)),
      separateVerdicts.map(({ result }) => excerptOf(result)),
      separateVerdicts.map(({ nextInSeconds }) => nextInSeconds),
      separateVerdicts.map(({ delivery }) => delivery.endpoint.id),
      separateVerdicts.map(({ result }) => cellOf(result)),
    ],
  );
}

/** Which of these deliveries contain their first attempt. */
async function findStoredInline(tx: Tx, firsts: readonly AttemptVerdict[]): Promise<Set<string>> {
  if (firsts.length === 0) return new Set();
  const rows = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM delivery
     WHERE event_id = ANY($1) AND event_id BETWEEN $3 AND $4 AND id = ANY($2) AND first_at IS NOT NULL`,
    [
      firsts.map(({ delivery }) => delivery.eventId),
      firsts.map(({ delivery }) => delivery.id),
      ...idRange(firsts.map(({ delivery }) => ({ id: delivery.eventId }))),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

const statusOf = (result: DialResult) => (result.outcome === 'answered' ? result.status : null);
const excerptOf = (result: DialResult) => (result.outcome === 'answered' ? result.excerpt : null);

interface StoredDelivery {
  id: string;
  epoch: number;
  /**
   * The state to return to if the attempt failed: it was manual, or a replay has settled the
   * delivery meanwhile.
   */
  resume_state: ClaimedDelivery['resumeState'];
}

/**
 * Stores the deliveries whose lease still holds, each with its attempt if that was the first;
 * returns these deliveries.
 */
async function storeDeliveries(
  tx: Tx,
  verdicts: readonly AttemptVerdict[],
): Promise<Map<string, StoredDelivery>> {
  const timings = verdicts.map(({ result }) => result.timings);
  const rows = await prepared<StoredDelivery>(
    tx,
    `WITH held AS (
       SELECT g.*, d.event_id, d.endpoint_id, d.attempts, d.attempts = 1 AS first, d.begun_at, d.trigger,
         d.resume_state,
         -- A failed redelivery leaves the delivery in its former state.
         d.resume_state <> 'pending' AND g.end_state IS DISTINCT FROM 'succeeded' AS in_vain,
         CASE WHEN d.resume_state <> 'pending' AND g.end_state IS DISTINCT FROM 'succeeded'
           THEN d.resume_state ELSE g.end_state END AS ends_as
       FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::double precision[], $6::boolean[],
         $10::boolean[], $11::integer[], $12::real[], $13::real[], $14::real[], $15::real[], $16::real[],
         $17::jsonb[], $18::text[])
         AS g (id, epoch, end_state, reason, next_in, uses_step, succeeded, status, dns, connect, tls, byte,
           total, error, excerpt)
       JOIN due_delivery d ON d.id = g.id
       -- By begun_at, not lease_until: the planner would read the index of leased rows, including
       -- all its dead entries.
       WHERE d.id = ANY($1) AND d.lease_epoch = g.epoch AND d.begun_at IS NOT NULL
       ORDER BY d.id FOR UPDATE OF d
     ), ended AS (
       DELETE FROM due_delivery d USING held
       WHERE d.id = ANY($1) AND d.id = held.id AND held.ends_as IS NOT NULL
     ), goes_on AS (
       UPDATE due_delivery d SET
         lease_until = NULL, begun_at = NULL, trigger = NULL, crashes = 0,
         resume_state = NULL, resume_due_at = NULL,
         failures = d.failures + held.uses_step::integer,
         due_at = coalesce(now() + held.next_in * interval '1 second', d.resume_due_at, d.due_at),
         lane = CASE WHEN d.replay_id IS NOT NULL THEN 3 WHEN d.failures > 0 OR held.uses_step THEN 1 ELSE 2 END
       FROM held WHERE d.id = ANY($1) AND d.id = held.id AND held.ends_as IS NULL
     ), stored AS (
       UPDATE delivery d SET
         state = coalesce(h.ends_as, d.state),
         attempts = CASE WHEN h.ends_as IS NULL THEN d.attempts ELSE h.attempts END,
         reason = CASE WHEN h.ends_as IS NULL OR h.in_vain THEN d.reason ELSE h.reason END,
         finished_at = CASE WHEN h.ends_as IS NULL THEN d.finished_at
           WHEN h.in_vain THEN coalesce(d.finished_at, now()) ELSE now() END,
         first_at = CASE WHEN h.first THEN h.begun_at ELSE d.first_at END,
         first_trigger = CASE WHEN h.first THEN h.trigger ELSE d.first_trigger END,
         first_succeeded = CASE WHEN h.first THEN h.succeeded ELSE d.first_succeeded END,
         first_status = CASE WHEN h.first THEN h.status ELSE d.first_status END,
         first_dns_ms = CASE WHEN h.first THEN h.dns ELSE d.first_dns_ms END,
         first_connect_ms = CASE WHEN h.first THEN h.connect ELSE d.first_connect_ms END,
         first_tls_ms = CASE WHEN h.first THEN h.tls ELSE d.first_tls_ms END,
         first_byte_ms = CASE WHEN h.first THEN h.byte ELSE d.first_byte_ms END,
         first_total_ms = CASE WHEN h.first THEN h.total ELSE d.first_total_ms END,
         first_error = CASE WHEN h.first THEN h.error ELSE d.first_error END,
         first_excerpt = CASE WHEN h.first THEN h.excerpt ELSE d.first_excerpt END,
         first_next_at = CASE WHEN h.first THEN now() + h.next_in * interval '1 second' ELSE d.first_next_at END
       FROM held h WHERE d.event_id = h.event_id AND d.endpoint_id = h.endpoint_id AND d.id = h.id
         AND (h.first OR h.ends_as IS NOT NULL)
         AND d.event_id = ANY($9) AND d.event_id BETWEEN $7 AND $8
     )
     SELECT id, epoch, resume_state FROM held`,
    [
      verdicts.map(({ delivery }) => delivery.id),
      verdicts.map(({ delivery }) => delivery.epoch),
      verdicts.map(({ end }) => end?.state ?? null),
      verdicts.map(({ end }) => end?.reason ?? null),
      verdicts.map(({ nextInSeconds }) => nextInSeconds),
      verdicts.map(({ usesStep }) => usesStep),
      ...idRange(verdicts.map(({ delivery }) => ({ id: delivery.eventId }))),
      verdicts.map(({ delivery }) => delivery.eventId),
      verdicts.map(({ succeeded }) => succeeded),
      verdicts.map(({ result }) => statusOf(result)),
      timings.map((of) => of?.dns ?? null),
      timings.map((of) => of?.connect ?? null),
      timings.map((of) => of?.tls ?? null),
      timings.map((of) => of?.first_byte ?? null),
      timings.map((of) => of?.total ?? null),
      verdicts.map(({ error }) => (error ? JSON.stringify(error) : null)),
      verdicts.map(({ result }) => excerptOf(result)),
    ],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A delivery whose last attempt has failed. */
export interface ExhaustedDelivery {
  id: string;
  eventId: string;
  projectId: string;
  endpointId: string;
  attempts: number;
}

/**
 * Records that deliveries were exhausted, except deliveries of events about webhooks, which would
 * cause more such events.
 */
export async function recordExhausted(
  tx: Tx,
  deliveries: readonly ExhaustedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const webhookEvents = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE id = ANY($1) AND type LIKE 'webhooks.%'`,
    [deliveries.map(({ eventId }) => eventId)],
  );
  const aboutWebhooks = new Set(webhookEvents.map(({ id }) => id));
  for (const { id, eventId, projectId, endpointId, attempts } of deliveries) {
    if (aboutWebhooks.has(eventId)) continue;
    await record(tx, systemOrigin(projectId), {
      type: 'webhooks.delivery.exhausted',
      resourceId: id,
      data: { event_id: eventId, webhook_id: endpointId, attempts },
    });
  }
}
