import type { AttemptRecord, DeliveryRecord } from '@scriptorium/contracts/wire/webhooks';

export type DeliveryState = DeliveryRecord['state'];

/** A delivery with the type of its event and its progress. */
export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  replay_id: string | null;
  event_type: string;
  state: DeliveryState;
  reason: string | null;
  attempts: number;
  /** When the next attempt may begin. Null while no attempts are made to the endpoint. */
  next_at: Date | null;
  /** When the attempt in progress began, and why. */
  begun_at: Date | null;
  trigger: string | null;
  created_at: Date;
  finished_at: Date | null;
  /** The latest attempt that has ended; null before the first. */
  last_number: number | null;
  last_at: Date | null;
  last_outcome: AttemptRecord['outcome'] | null;
  last_status: number | null;
  last_ms: number | null;
  last_error: AttemptRecord['error'];
}

/**
 * While an endpoint's circuit is open, only retries (lane 1) and manual attempts (lane 0) begin
 * when due. Deliveries that are already due are attempted from now on, as soon as there is room.
 */
const nextAtSql = `(SELECT greatest(due.due_at, CASE WHEN due.lane > 1 THEN f.held_until END, now())
  FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id AND e.state = 'enabled'
  WHERE f.project_id = due.project_id AND f.endpoint_id = due.endpoint_id)`;

/** The columns of a row of `withLastAttempt`. */
export const deliveryRowColumns = `d.id, d.event_id, d.endpoint_id, d.replay_id, d.event_type,
  CASE WHEN due.lease_until IS NULL THEN d.state ELSE 'delivering' END AS state, d.reason,
  coalesce(due.attempts, d.attempts) AS attempts, ${nextAtSql} AS next_at, due.begun_at, due.trigger, d.created_at,
  d.finished_at, last.number AS last_number, last.at AS last_at, last.outcome AS last_outcome,
  last.status AS last_status, last.duration_ms AS last_ms, last.error AS last_error`;
const withDueRows = (d: string): string => `${d} LEFT JOIN due_delivery due ON due.id = d.id`;
export const deliveryTables = withDueRows('delivery d');
/**
 * Deliveries with their progress and the latest attempt that has ended, as in `attempt_record`: the
 * planner needs a quarter less time without reading the delivery twice.
 * @param d the source of deliveries, as `d`
 */
export const withLastAttempt = (d: string): string => `${withDueRows(d)}
  LEFT JOIN LATERAL (
    SELECT a.number, a.at, a.outcome, a.status, a.duration_ms, a.error FROM attempt a
    WHERE a.project_id = d.project_id AND a.event_id = d.event_id AND a.delivery_id = d.id
    UNION ALL
    SELECT 1, d.first_at, CASE WHEN d.first_succeeded THEN 'succeeded' ELSE 'failed' END, d.first_status,
      d.first_total_ms, d.first_error WHERE d.first_at IS NOT NULL
    ORDER BY number DESC LIMIT 1) last ON true`;
export const deliveriesWithLast = withLastAttempt('delivery d');

/** A delivery as the API shows it. */
export function presentDelivery(row: DeliveryRow): DeliveryRecord {
  const isOpen = row.state === 'pending' || row.state === 'delivering';
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    state: row.state,
    reason: isOpen ? null : row.reason,
    attempts_made: row.attempts,
    last_attempt: presentLastAttempt(row),
    next_attempt_at: row.state === 'pending' ? (row.next_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    finished_at: isOpen ? null : (row.finished_at?.toISOString() ?? null),
  };
}

function presentLastAttempt(row: DeliveryRow): DeliveryRecord['last_attempt'] {
  const { last_number: number, last_at: at, last_outcome: outcome } = row;
  if (number === null || at === null || outcome === null) return null;
  const { last_status: status, last_ms: duration_ms, last_error: error } = row;
  return { number, at: at.toISOString(), outcome, status, duration_ms, error };
}
