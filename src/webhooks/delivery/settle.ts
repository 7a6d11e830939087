import { type Origin, systemOrigin } from '../../contracts/origin.ts';
import { byKey, prepared, send, type Tx } from '../../db/transaction.ts';
import { rangeOf } from '../../outbox/relay/fan-out.ts';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim.ts';
import { skipDeliveries } from './end-deliveries.ts';
import { recordExhausted } from './exhausted.ts';
import { storeHealth } from './health.ts';
import { lockOriginals, settleOriginals } from './originals.ts';
import { countDelivered, lockEvents, recountEvents } from './published.ts';
import { turnOff } from './turn-off.ts';
import { judge, type Sent, type Verdict } from './verdict.ts';

/**
 * Stores what came of attempts, to whichever endpoints, in one transaction: the attempts, the
 * deliveries, guarded by their epochs, the events that are published with them, and what the answers
 * mean for the endpoints. An attempt whose lease was lost changes nothing but its own row.
 */
export async function settleDeliveries(
  tx: Tx,
  sent: readonly Sent[],
  schedule: readonly number[],
): Promise<void> {
  if (sent.length === 0) return;
  byKey(tx, 'hash');
  const verdicts = sent.map((item) => judge(item, schedule));
  // Endpoints, how they are served, what is due, deliveries, events: whoever locks several of them
  // does it in this order, so that nobody waits in a circle.
  const off = await turnOffEndpoints(tx, verdicts);
  const originals = await lockOriginals(tx, verdicts);
  storeHealth(tx, verdicts);
  const stored = await storeDeliveries(tx, verdicts);
  // After what is due: who sweeps leases holds that when it writes attempts.
  storeAttempts(tx, verdicts);
  const kept = verdicts.flatMap((verdict) => {
    const row = stored.get(verdict.delivery.id);
    // A late attempt and its successor may come together.
    const held = row?.epoch === verdict.delivery.epoch;
    return held ? [{ ...verdict, resumeState: row.resume_state }] : [];
  });
  const succeeded = kept.filter((verdict) => verdict.succeeded);
  settleOriginals(tx, originals, succeeded);
  for (const endpoint of off) await skipDeliveries(tx, endpoint);
  const eventsOf = (of: readonly Verdict[]) => of.map(({ delivery }) => delivery.eventId);
  // What was owed to nobody may count from now on, and what a replay sent may count already.
  const again = succeeded.filter(
    ({ delivery, resumeState }) => delivery.replayId !== null || resumeState === 'cancelled',
  );
  const first = succeeded.filter(
    // What had succeeded before it was sent again is counted already.
    (verdict) => !again.includes(verdict) && verdict.resumeState !== 'succeeded',
  );
  if (again.length > 0) lockEvents(tx, eventsOf(succeeded));
  countDelivered(tx, eventsOf(first));
  recountEvents(tx, eventsOf(again));
  const exhausted = kept.filter(
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

/** Turns off who answered that it is gone, and who has done nothing but fail for days. */
async function turnOffEndpoints(tx: Tx, verdicts: readonly Verdict[]): Promise<ClaimedEndpoint[]> {
  const off: ClaimedEndpoint[] = [];
  for (const [endpoint, given] of byEndpoint(verdicts)) {
    const gone = given.some((verdict) => verdict.gone);
    const failing = endpoint.failingLong && !given.some(({ succeeded }) => succeeded);
    if (!gone && !failing) continue;
    const origin: Origin = systemOrigin(endpoint.projectId);
    const turned = await turnOff(tx, origin, endpoint.id, gone ? 'gone' : 'failing');
    if (turned || gone) off.push(endpoint);
  }
  return off;
}

/** Verdicts by endpoint, in the order of the endpoints' identifiers. */
function byEndpoint(verdicts: readonly Verdict[]): [ClaimedEndpoint, Verdict[]][] {
  const found = new Map<string, [ClaimedEndpoint, Verdict[]]>();
  for (const verdict of verdicts) {
    const { endpoint } = verdict.delivery;
    const entry = found.get(endpoint.id);
    if (entry) entry[1].push(verdict);
    else found.set(endpoint.id, [endpoint, [verdict]]);
  }
  return [...found.values()].sort(([a], [b]) => (a.id < b.id ? -1 : 1));
}

function storeAttempts(tx: Tx, verdicts: readonly Verdict[]): void {
  send(
    tx,
    `INSERT INTO attempt (event_id, delivery_id, number, project_id, trigger, at, outcome, status,
       duration_ms, timings, error, response_excerpt, next_attempt_at)
     SELECT a.event_id, a.delivery_id, a.number, a.project_id, a.trigger, a.at, a.outcome, a.status,
       a.duration_ms, a.timings, a.error, a.excerpt, now() + a.next_in * interval '1 second'
     FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::timestamptz[],
       $7::text[], $8::integer[], $9::real[], $10::jsonb[], $11::jsonb[], $12::text[], $13::double precision[])
       AS a (event_id, delivery_id, number, project_id, trigger, at, outcome, status, duration_ms, timings,
         error, excerpt, next_in)
     -- Where its worker was thought to be dead the row says that the outcome is unknown.
     ON CONFLICT (event_id, delivery_id, number) DO UPDATE SET outcome = excluded.outcome,
       status = excluded.status, duration_ms = excluded.duration_ms, timings = excluded.timings,
       error = excluded.error, response_excerpt = excluded.response_excerpt`,
    [
      verdicts.map(({ delivery }) => delivery.eventId),
      verdicts.map(({ delivery }) => delivery.id),
      verdicts.map(({ delivery }) => delivery.attempt),
      verdicts.map(({ delivery }) => delivery.endpoint.projectId),
      verdicts.map(({ delivery }) => delivery.trigger),
      verdicts.map(({ delivery }) => delivery.begunAt),
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

interface Stored {
  id: string;
  epoch: number;
  /** What it went on as if the attempt failed: by hand, or since a replay has settled it meanwhile. */
  resume_state: ClaimedDelivery['resumeState'];
}

/** Stores the deliveries whose lease still holds; gives back which those were. */
async function storeDeliveries(tx: Tx, verdicts: readonly Verdict[]): Promise<Map<string, Stored>> {
  const rows = await prepared<Stored>(
    tx,
    `WITH held AS (
       SELECT g.id, g.epoch, g.reason, g.next_in, g.uses_step, d.resume_state,
         -- What was sent again in vain is what it was before.
         d.resume_state <> 'pending' AND g.ends_as IS DISTINCT FROM 'succeeded' AS in_vain,
         CASE WHEN d.resume_state <> 'pending' AND g.ends_as IS DISTINCT FROM 'succeeded'
           THEN d.resume_state ELSE g.ends_as END AS ends_as
       FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::double precision[], $6::boolean[])
         AS g (id, epoch, ends_as, reason, next_in, uses_step)
       JOIN due_delivery d ON d.id = g.id
       -- By begun_at, not lease_until: the planner would read the index of what is leased, and all
       -- that is dead in it.
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
      verdicts.map(({ delivery }) => delivery.id),
      verdicts.map(({ delivery }) => delivery.epoch),
      verdicts.map(({ end }) => end?.state ?? null),
      verdicts.map(({ end }) => end?.reason ?? null),
      verdicts.map(({ nextInSeconds }) => nextInSeconds),
      verdicts.map(({ usesStep }) => usesStep),
      ...rangeOf(verdicts.map(({ delivery }) => ({ id: delivery.eventId }))),
      verdicts.map(({ delivery }) => delivery.eventId),
    ],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
