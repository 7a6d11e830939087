/** The deadline of an exchange and fifteen seconds: see `deliveryDeadlineMs`. */
export const deliveryLeaseSeconds = 30;
/** Nothing but failure for this long turns an endpoint off. */
export const failingDays = 5;

/**
 * How many more attempts at an endpoint its window has room for, in SQL over its flow `f` and its row
 * `e`. True only while the flow is locked, and asked in a later statement than the one that locks it.
 * @param done the parameters that name deliveries whose receiver has answered well and whose row does
 *   not say so yet: they take no room, unless the circuit is open and only their row can close it
 */
export function windowRoom(done: { ids: string; epochs: string }): string {
  return `least(e.max_in_flight, f.window_size) - (
        SELECT count(*) FROM due_delivery d
        WHERE d.endpoint_id = f.endpoint_id AND d.lease_until IS NOT NULL
          AND (f.hold_seconds IS NOT NULL OR NOT EXISTS (
            SELECT FROM unnest(${done.ids}::text[], ${done.epochs}::integer[]) AS done (id, epoch)
            WHERE done.id = d.id AND done.epoch = d.lease_epoch)))`;
}

/** What the token bucket of an endpoint holds, a second's worth at most, in SQL; null without a rate. */
export const tokensNow = `least(e.max_per_second, f.tokens + e.max_per_second
        * greatest(0, extract(epoch FROM statement_timestamp() - f.refilled_at)))`;

/** Whether one more failure turns an endpoint off, in SQL. */
export const failingLong = `coalesce(f.failing_since < now() - interval '${failingDays} days', false)`;

/** Until when an attempt that begins now is leased, in SQL. */
export const leaseEnd = `statement_timestamp() + interval '${deliveryLeaseSeconds} seconds'`;
