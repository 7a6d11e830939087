import type { Origin } from '../contracts/origin.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import type { Claim, ClaimedDelivery } from './claim.ts';
import type { DialResult } from './dial.ts';
import { nextDelaySeconds } from './schedule.ts';

export interface SettledDelivery {
  delivery: ClaimedDelivery;
  result: DialResult;
}

interface Verdict {
  delivery: ClaimedDelivery;
  result: DialResult;
  succeeded: boolean;
  /** Seconds until the next attempt; null when there is none. */
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
  await storeAttempts(tx, verdicts);
  const stored = await storeDeliveries(tx, verdicts);
  const kept = verdicts.filter(({ delivery }) => stored.has(delivery.id));
  const delivered = kept.filter((verdict) => verdict.succeeded);
  await countDelivered(
    tx,
    delivered.map(({ delivery }) => delivery.eventId),
  );
  await storeHealth(tx, claim, delivered.length > 0, kept.length > delivered.length);
  const origin: Origin = {
    projectId: claim.projectId,
    actor: { type: 'system', id: null },
    address: null,
    requestId: null,
  };
  const gone = kept.some(({ result }) => result.outcome === 'answered' && result.status === 410);
  if (gone) await disableEndpoint(tx, origin, claim.endpointId, 'gone');
  await recordExhausted(tx, origin, claim, kept, gone);
}

function judge({ delivery, result }: SettledDelivery, schedule: readonly number[]): Verdict {
  const succeeded = result.outcome === 'answered' && result.status >= 200 && result.status <= 299;
  if (succeeded) return { delivery, result, succeeded, nextInSeconds: null, error: null };
  const retryAfterSeconds = result.outcome === 'answered' ? result.retryAfterSeconds : undefined;
  const gone = result.outcome === 'answered' && result.status === 410;
  return {
    delivery,
    result,
    succeeded,
    nextInSeconds: gone
      ? null
      : nextDelaySeconds({
          failures: delivery.failures + 1,
          schedule,
          random: Math.random,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        }),
    error:
      result.outcome === 'failed'
        ? { code: result.error.code, message: result.error.message }
        : { code: 'status', message: `The endpoint answered ${result.status}; 2xx is success.` },
  };
}

async function storeAttempts(tx: Tx, verdicts: Verdict[]): Promise<void> {
  await prepared(
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
    `UPDATE delivery SET
       state = CASE WHEN d.succeeded THEN 'succeeded' WHEN d.next_in IS NULL THEN 'exhausted' ELSE 'pending' END,
       failures = CASE WHEN d.succeeded THEN failures ELSE failures + 1 END,
       due_at = coalesce(now() + d.next_in * interval '1 second', due_at),
       finished_at = CASE WHEN d.succeeded OR d.next_in IS NULL THEN now() END,
       crashes = 0, handed_at = NULL, lease_until = NULL
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::boolean[], $5::double precision[])
       AS d (event_id, id, epoch, succeeded, next_in)
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
async function countDelivered(tx: Tx, eventIds: string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await prepared(
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

/** An endpoint is failing from its first failure on, until something succeeds. */
async function storeHealth(
  tx: Tx,
  claim: Claim,
  anySucceeded: boolean,
  anyFailed: boolean,
): Promise<void> {
  if (anySucceeded) {
    await prepared(
      tx,
      `UPDATE webhook_endpoint SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`,
      [claim.endpointId],
    );
  } else if (anyFailed) {
    await prepared(
      tx,
      `UPDATE webhook_endpoint SET failing_since = now() WHERE id = $1 AND failing_since IS NULL`,
      [claim.endpointId],
    );
  }
}

/** Turns an endpoint off: what is owed to it is skipped, with the reason, until it is redelivered. */
export async function disableEndpoint(
  tx: Tx,
  origin: Origin,
  endpointId: string,
  reason: string,
): Promise<void> {
  const disabled = await prepared<{ id: string }>(
    tx,
    `UPDATE webhook_endpoint SET state = 'disabled', disabled_reason = $2, updated_at = now(), version = version + 1
     WHERE id = $1 AND state <> 'disabled' RETURNING id`,
    [endpointId, reason],
  );
  if (disabled.length === 0) return;
  await prepared(
    tx,
    `UPDATE delivery SET state = 'skipped', reason = 'endpoint_disabled', handed_at = NULL, finished_at = now()
     WHERE endpoint_id = $1 AND state = 'pending'`,
    [endpointId],
  );
  await record(tx, origin, {
    type: 'webhooks.endpoint.disabled',
    resourceId: endpointId,
    data: { reason },
  });
}

async function recordExhausted(
  tx: Tx,
  origin: Origin,
  claim: Claim,
  verdicts: Verdict[],
  gone: boolean,
): Promise<void> {
  const ended = verdicts.filter(
    ({ succeeded, nextInSeconds }) => !succeeded && nextInSeconds === null,
  );
  if (ended.length === 0 || gone) return;
  const own = await eventsAboutWebhooks(
    tx,
    ended.map(({ delivery }) => delivery.eventId),
  );
  const told = ended.filter(({ delivery }) => !own.has(delivery.eventId));
  if (told.length === 0) return;
  await record(
    tx,
    origin,
    ...told.map(
      ({ delivery }) =>
        ({
          type: 'webhooks.delivery.exhausted',
          resourceId: delivery.id,
          data: {
            event_id: delivery.eventId,
            webhook_id: claim.endpointId,
            attempts: delivery.attempt,
          },
        }) as const,
    ),
  );
}

/** Deliveries of events about webhooks never make events about webhooks: there would be no end. */
async function eventsAboutWebhooks(tx: Tx, eventIds: string[]): Promise<Set<string>> {
  const rows = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE id = ANY($1) AND type LIKE 'webhooks.%'`,
    [eventIds],
  );
  return new Set(rows.map(({ id }) => id));
}
