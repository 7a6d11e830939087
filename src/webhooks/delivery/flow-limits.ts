/** The deadline of an exchange plus fifteen seconds: see `deliveryDeadlineMs`. */
const deliveryLeaseSeconds = 30;
/** An endpoint that has failed for this long without a success is disabled. */
export const disableAfterDays = 5;
/**
 * A longer gap between two failures ends the series, because the state in between is unknown.
 */
export const maxFailureGap = '36 hours';

/**
 * How many more attempts the window of an endpoint allows, in SQL over its flow `f` and its row
 * `e`. Valid only while the flow is locked, in a later statement than the one that locks it.
 * @param unstored the parameters with successful deliveries that are not stored yet: they do not
 *   count, unless the circuit is open, because only storing them can close it
 */
export function windowCapacitySql(unstored: { ids: string; epochs: string }): string {
  return `least(e.max_in_flight, f.window_size) - (
        SELECT count(*) FROM due_delivery d
        WHERE d.endpoint_id = f.endpoint_id AND d.lease_until IS NOT NULL
          AND (f.hold_seconds IS NOT NULL OR NOT EXISTS (
            SELECT FROM unnest(${unstored.ids}::text[], ${unstored.epochs}::integer[]) AS done (id, epoch)
            WHERE done.id = d.id AND done.epoch = d.lease_epoch)))`;
}

/** The tokens of an endpoint, at most those of one second, in SQL; null without a rate. */
export const currentTokensSql = `least(e.max_per_second, f.tokens + e.max_per_second
        * greatest(0, extract(epoch FROM statement_timestamp() - f.refilled_at)))`;

/** Whether one more failure disables an endpoint, in SQL over its flow `f`. */
export const failingLongSql = `coalesce(f.failing_since < now() - interval '${disableAfterDays} days'
  AND f.last_failure_at >= now() - interval '${maxFailureGap}', false)`;

/**
 * Whether a waiting delivery `due` waits for a later time, in SQL with the flow `f` of its endpoint.
 * While a circuit is open, only retries (lane 1) and manual attempts (lane 0) begin when due.
 */
export const isDeferredSql = `(due.due_at > now() OR (due.lane > 1 AND coalesce(f.held_until > now(), false)))`;

/** The end of a lease that starts now, in SQL. */
export const leaseEndSql = `statement_timestamp() + interval '${deliveryLeaseSeconds} seconds'`;
