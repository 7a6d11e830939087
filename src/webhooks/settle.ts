import { type Origin, systemOrigin } from '../contracts/origin.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { type Claim, type ClaimedDelivery, skipDeliveries } from './claim.ts';
import type { DialResult } from './dialing/dial.ts';
import { nextDelaySeconds } from './schedule.ts';

/** Nothing but failure for this long turns an endpoint off. */
const failingDays = 5;

export interface SettledDelivery {
  delivery: ClaimedDelivery;
  result: DialResult;
}

interface Verdict {
  delivery: ClaimedDelivery;
  result: DialResult;
  succeeded: boolean;
  /** That was the last attempt of the schedule. */
  exhausted: boolean;
  /** Seconds until the next attempt of the schedule; null when there is none, or it stands already. */
  nextInSeconds: number | null;
  error: { code: string; message: string } | null;
}

/**
 * Stores what came of attempts, in one transaction: the deliveries, guarded by their epochs, the
 * attempts, the events that are published with it, and what the endpoint's answers mean for it. An
 * attempt whose lease was lost changes nothing but its own row.
 */
export async function settleDeliveries(
  tx: Tx,
  claim: Claim,
  settled: SettledDelivery[],
  schedule: readonly number[],
): Promise<void> {
  const verdicts = settled.map((item) => judge(item, schedule));
  const succeeded = verdicts.some((verdict) => verdict.succeeded);
  const gone = settled.some(({ result }) => result.outcome === 'answered' && result.status === 410);
  const origin = systemOrigin(claim.projectId);
  // Endpoint, deliveries, events: whoever locks several of them does it in this order, so that
  // nobody waits in a circle.
  const failedLong = await storeHealth(tx, claim, succeeded, verdicts.length > 0);
  const off = gone ? 'gone' : failedLong ? 'failing' : null;
  if (off) await turnOff(tx, origin, claim.endpointId, off);
  storeAttempts(tx, verdicts);
  const stored = await storeDeliveries(tx, verdicts);
  const kept = verdicts.filter(({ delivery }) => stored.has(delivery.id));
  countDelivered(
    tx,
    kept
      // What had succeeded before it was sent again is counted already.
      .filter((verdict) => verdict.succeeded && verdict.delivery.resumeState !== 'succeeded')
      .map(({ delivery }) => delivery.eventId),
  );
  if (off) await skipDeliveries(tx, claim.endpointId);
  if (!gone) {
    const ended = kept.filter((verdict) => verdict.exhausted).map(({ delivery }) => delivery);
    await recordExhausted(tx, origin, claim.endpointId, ended);
  }
}

function judge({ delivery, result }: SettledDelivery, schedule: readonly number[]): Verdict {
  const succeeded = result.outcome === 'answered' && result.status >= 200 && result.status <= 299;
  const end = { delivery, result, nextInSeconds: null, exhausted: false, error: null };
  if (succeeded) return { ...end, succeeded };
  const error =
    result.outcome === 'failed'
      ? { code: result.error.code, message: result.error.message }
      : { code: 'status', message: `The endpoint answered ${result.status}; 2xx is success.` };
  // An attempt that somebody asked for uses no step of the schedule.
  if (delivery.resumeState !== null) return { ...end, succeeded, error };
  const gone = result.outcome === 'answered' && result.status === 410;
  const nextInSeconds = gone
    ? null
    : nextDelaySeconds({
        failures: delivery.failures + 1,
        schedule,
        random: Math.random,
        retryAfterSeconds: result.outcome === 'answered' ? result.retryAfterSeconds : undefined,
      });
  return { ...end, succeeded, error, nextInSeconds, exhausted: nextInSeconds === null };
}

function storeAttempts(tx: Tx, verdicts: Verdict[]): void {
  send(
    tx,
    `UPDATE attempt SET outcome = a.outcome, status = a.status, duration_ms = a.duration_ms,
       timings = a.timings, error = a.error, response_excerpt = a.excerpt,
       next_attempt_at = now() + a.next_in * interval '1 second'
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::integer[], $6::real[],
       $7::jsonb[], $8::jsonb[], $9::text[], $10::double precision[])
       AS a (event_id, delivery_id, number, outcome, status, duration_ms, timings, error, excerpt, next_in)
     WHERE attempt.event_id = a.event_id AND attempt.delivery_id = a.delivery_id
       AND attempt.number = a.number`,
    [
      verdicts.map(({ delivery }) => delivery.eventId),
      verdicts.map(({ delivery }) => delivery.id),
      verdicts.map(({ delivery }) => delivery.attempt),
      verdicts.map(({ succeeded }) => (succeeded ? 'succeeded' : 'failed')),
      verdicts.map(({ result }) => (result.outcome === 'answered' ? result.status : null)),
      verdicts.map(({ result }) => result.timings?.total ?? null),
      verdicts.map(({ result }) => (result.timings ? JSON.stringify(result.timings) : null)),
      verdicts.map(({ error }) => (error ? JSON.stringify(error) : null)),
      verdicts.map(({ result }) => (result.outcome === 'answered' ? result.excerpt : null)),
      verdicts.map(({ nextInSeconds }) => nextInSeconds),
    ],
  );
}

/** Stores the deliveries whose lease still holds; gives back which those were. */
async function storeDeliveries(tx: Tx, verdicts: Verdict[]): Promise<Set<string>> {
  const rows = await prepared<{ id: string }>(
    tx,
    `WITH held AS (
       SELECT d.* FROM unnest($1::text[], $2::text[], $3::integer[], $4::boolean[], $5::double precision[])
         AS d (event_id, id, epoch, succeeded, next_in)
       JOIN delivery ON delivery.event_id = d.event_id AND delivery.id = d.id
       ORDER BY delivery.event_id, delivery.id FOR UPDATE OF delivery
     )
     UPDATE delivery SET
       state = CASE WHEN d.succeeded THEN 'succeeded' WHEN delivery.resume_state IS NOT NULL THEN delivery.resume_state
         WHEN d.next_in IS NULL THEN 'exhausted' ELSE 'pending' END,
       reason = CASE WHEN d.succeeded THEN NULL ELSE delivery.reason END,
       failures = CASE WHEN d.succeeded OR delivery.resume_state IS NOT NULL THEN failures ELSE failures + 1 END,
       due_at = CASE WHEN d.succeeded THEN due_at WHEN delivery.resume_state IS NOT NULL THEN delivery.resume_due_at
         ELSE coalesce(now() + d.next_in * interval '1 second', due_at) END,
       finished_at = CASE WHEN d.succeeded THEN now() WHEN delivery.resume_state IS NOT NULL THEN delivery.finished_at
         WHEN d.next_in IS NULL THEN now() END,
       crashes = 0, handed_at = NULL, lease_until = NULL, resume_state = NULL, resume_due_at = NULL
     FROM held d
     WHERE delivery.event_id = d.event_id AND delivery.id = d.id AND delivery.lease_epoch = d.epoch
       AND delivery.state = 'delivering'
     RETURNING delivery.id`,
    [
      verdicts.map(({ delivery }) => delivery.eventId),
      verdicts.map(({ delivery }) => delivery.id),
      verdicts.map(({ delivery }) => delivery.epoch),
      verdicts.map(({ succeeded }) => succeeded),
      verdicts.map(({ nextInSeconds }) => nextInSeconds),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Counts successes on their events; an event whose every delivery has succeeded is published. */
function countDelivered(tx: Tx, eventIds: string[]): void {
  if (eventIds.length === 0) return;
  send(
    tx,
    `WITH counted AS (
       SELECT id, count(*) AS n FROM unnest($1::text[]) AS d (id) GROUP BY id
     ), locked AS (
       -- In one order, so that two workers never wait for each other in a circle.
       SELECT event.id, counted.n FROM event JOIN counted ON event.id = counted.id
       ORDER BY event.id FOR UPDATE OF event
     )
     UPDATE event SET delivered = event.delivered + locked.n,
       published_at = CASE WHEN event.delivered + locked.n >= event.owed
         THEN coalesce(event.published_at, now()) ELSE event.published_at END
     FROM locked WHERE event.id = locked.id`,
    [eventIds],
  );
}

/**
 * An endpoint is failing from its first failure on, until something succeeds.
 * @returns whether it has done nothing but fail for so long that it is turned off
 */
async function storeHealth(
  tx: Tx,
  claim: Claim,
  anySucceeded: boolean,
  anySent: boolean,
): Promise<boolean> {
  if (!anySent) return false;
  if (anySucceeded) {
    send(
      tx,
      `UPDATE webhook_endpoint SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`,
      [claim.endpointId],
    );
    return false;
  }
  send(
    tx,
    `UPDATE webhook_endpoint SET failing_since = now() WHERE id = $1 AND failing_since IS NULL`,
    [claim.endpointId],
  );
  const [row] = await prepared<{ long: boolean }>(
    tx,
    `SELECT failing_since < now() - interval '${failingDays} days' AS long FROM webhook_endpoint WHERE id = $1`,
    [claim.endpointId],
  );
  return row?.long ?? false;
}

/** Turns an endpoint off: what is owed to it is skipped, with the reason, until it is redelivered. */
export async function disableEndpoint(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<void> {
  await turnOff(tx, origin, endpointId, reason);
  await skipDeliveries(tx, endpointId);
}

/** The endpoint's own part of it, with one event however many failures arrive at once. */
async function turnOff(tx: Tx, origin: Origin, endpointId: string, reason: string): Promise<void> {
  const disabled = await prepared<{ id: string }>(
    tx,
    `UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = $2, updated_at = now(), version = version + 1
     WHERE id = $1 AND state <> 'disabled' RETURNING id`,
    [endpointId, reason],
  );
  if (disabled.length === 0) return;
  await record(tx, origin, {
    type: 'webhooks.endpoint.disabled',
    resourceId: endpointId,
    data: { reason },
  });
}

/**
 * Records that deliveries are given up. Deliveries of events about webhooks never make events about
 * webhooks: there would be no end.
 */
export async function recordExhausted(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  deliveries: readonly { id: string; eventId: string; attempt: number }[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const own = await eventsAboutWebhooks(
    tx,
    deliveries.map(({ eventId }) => eventId),
  );
  const told = deliveries.filter(({ eventId }) => !own.has(eventId));
  if (told.length === 0) return;
  await record(
    tx,
    origin,
    ...told.map(
      ({ id, eventId, attempt }) =>
        ({
          type: 'webhooks.delivery.exhausted',
          resourceId: id,
          data: { event_id: eventId, webhook_id: endpointId, attempts: attempt },
        }) as const,
    ),
  );
}

async function eventsAboutWebhooks(tx: Tx, eventIds: string[]): Promise<Set<string>> {
  const rows = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE id = ANY($1) AND type LIKE 'webhooks.%'`,
    [eventIds],
  );
  return new Set(rows.map(({ id }) => id));
}
