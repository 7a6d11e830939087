import type { Database } from '../../../db/database.ts';
import { errorFieldsOf } from '../../../db/errors.ts';
import { planByIndex, shortLockTimeoutSql } from '../../../db/statements/rows.ts';
import { inOnePacket, prepared, type Tx } from '../../../db/transaction.ts';
import { idRange } from '../../../outbox/relay/number.ts';
import { tallyAttempts } from '../../stats/tally.ts';
import { storeSuccesses } from './health.ts';
import { addDelivered, inIndexOrder } from './published-queries.ts';
import type { SentAttempt } from './verdict.ts';

/** The error of `demand_rows`. */
const demandRowsState = 'LS002';

/**
 * Whether an attempt has the most frequent outcome: the first attempt of an original delivery that got
 * a 2xx response without an instruction. Everything to store is then known in advance.
 */
export function isFirstSuccess({ delivery, result }: SentAttempt): boolean {
  return (
    result.outcome === 'answered' &&
    result.status >= 200 &&
    result.status <= 299 &&
    result.instruction === undefined &&
    delivery.attempt === 1 &&
    delivery.replayId === null &&
    delivery.resumeState === null
  );
}

const endStatement = `
  WITH ended AS (
    DELETE FROM due_delivery
    WHERE id = ANY($1) AND lease_epoch = ($2::integer[])[array_position($1::text[], id)]
      AND begun_at IS NOT NULL AND resume_state IS NULL AND replay_id IS NULL AND attempts = 1
    RETURNING id, event_id, endpoint_id, begun_at, trigger
  ), stored AS (
    UPDATE delivery d SET state = 'succeeded', attempts = 1, reason = NULL, finished_at = now(),
      first_at = e.begun_at, first_trigger = e.trigger, first_succeeded = true,
      first_status = ($6::integer[])[e.place], first_dns_ms = ($7::real[])[e.place],
      first_connect_ms = ($8::real[])[e.place], first_tls_ms = ($9::real[])[e.place],
      first_byte_ms = ($10::real[])[e.place], first_total_ms = ($11::real[])[e.place],
      first_error = NULL, first_excerpt = ($12::text[])[e.place], first_next_at = NULL
    FROM (SELECT *, array_position($1::text[], id) AS place FROM ended) e
    WHERE d.event_id = e.event_id AND d.endpoint_id = e.endpoint_id AND d.id = e.id
      AND d.event_id = ANY($3) AND d.event_id BETWEEN $4 AND $5
  )
  SELECT demand_rows((SELECT count(*) FROM ended), cardinality($1::text[]))`;

/**
 * Stores first successes as `settleDeliveries` does, in one packet with its commit.
 * @returns false when nothing was stored because a lease was lost or a delivery is being
 *   redelivered; use `settleDeliveries` then
 */
export async function settleFirstSuccesses(
  database: Database,
  sent: readonly SentAttempt[],
): Promise<boolean> {
  try {
    await inOnePacket(database, (tx) => storeFirstSuccesses(tx, sent));
    return true;
  } catch (error) {
    if (errorFieldsOf(error).code === demandRowsState) return false;
    throw error;
  }
}

async function storeFirstSuccesses(tx: Tx, sent: readonly SentAttempt[]): Promise<void> {
  // A loop would find the deliveries of the whole batch again for each one.
  planByIndex(tx, 'hash', shortLockTimeoutSql, inIndexOrder);
  const answers = sent.map(({ delivery, result }) => {
    const answer = result.outcome === 'answered' ? result : null;
    return { delivery, timings: result.timings, status: answer?.status, excerpt: answer?.excerpt };
  });
  const events = sent.map(({ delivery }) => delivery.eventId);
  // Endpoints, due rows, deliveries, events: the order in which all transactions lock them.
  storeSuccesses(tx, [...new Set(sent.map(({ delivery }) => delivery.endpoint.id))]);
  const ended = prepared(tx, endStatement, [
    sent.map(({ delivery }) => delivery.id),
    sent.map(({ delivery }) => delivery.epoch),
    events,
    ...idRange(events.map((id) => ({ id }))),
    answers.map(({ status }) => status ?? null),
    answers.map(({ timings }) => timings?.dns ?? null),
    answers.map(({ timings }) => timings?.connect ?? null),
    answers.map(({ timings }) => timings?.tls ?? null),
    answers.map(({ timings }) => timings?.first_byte ?? null),
    answers.map(({ timings }) => timings?.total ?? null),
    answers.map(({ excerpt }) => excerpt ?? null),
  ]);
  addDelivered(tx, events);
  tallyAttempts(tx, sent);
  await ended;
}
