import type { OpenSealed } from '../contracts/documents/sealed.ts';
import { type EventTypeName, eventTypeNames } from '../contracts/events.ts';
import { notFound, Problem } from '../contracts/problems.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  DeliveryWithAttempts,
} from '../contracts/wire/webhooks.ts';
import { Conditions } from '../db/statements/conditions.ts';
import { prepared, query, send, type Tx } from '../db/transaction.ts';
import { Attempt } from '../entities/webhooks/attempt.ts';
import type { WebhookEndpoint } from '../entities/webhooks/webhook-endpoint.ts';
import { lockFlows } from './delivery/ending/end-deliveries.ts';
import { lockEndpoint } from './endpoints/read.ts';
import { readMessages } from './sent-messages.ts';

type DeliveryState = DeliveryRecord['state'];

/** A delivery with the type of its event and its progress. */
interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  replay_id: string | null;
  event_type: string;
  state: DeliveryState;
  reason: string | null;
  attempts: number;
  /** When the next attempt may begin. Null while the endpoint gets none. */
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
 * While an endpoint rests, only retries (lane 1) and manual attempts (lane 0) begin when due. What is
 * due already is attempted from now on, as soon as there is room.
 */
const nextAt = `(SELECT greatest(due.due_at, CASE WHEN due.lane > 1 THEN f.held_until END, now())
  FROM webhook_flow f JOIN webhook_endpoint e ON e.id = f.endpoint_id AND e.state = 'enabled'
  WHERE f.project_id = due.project_id AND f.endpoint_id = due.endpoint_id)`;

/** Deliveries of the release before don't contain the type. */
const typeOfEvent = '(SELECT e.type FROM event e WHERE e.id = d.event_id)';
const eventType = `coalesce(d.event_type, ${typeOfEvent})`;

const columns = `d.id, d.event_id, d.endpoint_id, d.replay_id, ${eventType} AS event_type,
  CASE WHEN due.lease_until IS NULL THEN d.state ELSE 'delivering' END AS state, d.reason,
  coalesce(due.attempts, d.attempts) AS attempts, ${nextAt} AS next_at, due.begun_at, due.trigger, d.created_at,
  d.finished_at, last.number AS last_number, last.at AS last_at, last.outcome AS last_outcome,
  last.status AS last_status, last.duration_ms AS last_ms, last.error AS last_error`;
const tables = `delivery d LEFT JOIN due_delivery due ON due.id = d.id`;
const withLast = `${tables}
  LEFT JOIN LATERAL (
    SELECT a.number, a.at, a.outcome, a.status, a.duration_ms, a.error FROM attempt_record a
    WHERE a.project_id = d.project_id AND a.event_id = d.event_id AND a.delivery_id = d.id
    ORDER BY a.number DESC LIMIT 1) last ON true`;

/** Which deliveries are listed: those to an endpoint, or those of an event to all endpoints. */
type Of = { endpointId: string } | { eventId: string };

/** The filters of a list of deliveries. */
interface DeliveryFilters {
  state?: readonly DeliveryState[] | undefined;
  eventTypes?: readonly EventTypeName[] | undefined;
  /** Of the latest attempt that has ended. */
  outcomes?: readonly AttemptRecord['outcome'][] | undefined;
  /** Such as `503`, `5xx`, or `none` without an answer. */
  statusCodes?: readonly string[] | undefined;
}

/** Deliveries of a project, the newest first, from before an identifier on. */
export async function listDeliveries(
  tx: Tx,
  projectId: string,
  filters: DeliveryFilters & Of,
  page: { before: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const { text, values } = listStatement(projectId, filters, page);
  return query<DeliveryRow>(tx, text, values);
}

/** The statement of `listDeliveries`. */
export function listStatement(
  projectId: string,
  filters: DeliveryFilters & Of,
  page: { before: string | null; limit: number },
): { text: string; values: unknown[] } {
  const types = isByType(filters) ? filters.eventTypes : undefined;
  const where = conditions(projectId, types ? { ...filters, eventTypes: undefined } : filters);
  if (page.before !== null) where.add('d.id < ?', page.before);
  const text = types
    ? pageOfTypes(where, types, page.limit)
    : `SELECT ${columns} FROM ${withLast}
       WHERE ${where.sql()} ORDER BY d.id DESC LIMIT ${page.limit}`;
  return { text, values: where.values };
}

/**
 * Whether a page is read from the index of types. A type of which another filter excludes every delivery
 * would be read to its end.
 */
function isByType({ eventTypes, state, outcomes, statusCodes }: DeliveryFilters): boolean {
  if (!eventTypes || state || outcomes || statusCodes) return false;
  return eventTypes.length < eventTypeNames.length;
}

/** The tables that filters need: attempts are looked up for each delivery. */
function sourceOf({ outcomes, statusCodes }: DeliveryFilters): string {
  return outcomes || statusCodes ? withLast : tables;
}

/**
 * A statement that reads a page of deliveries of events of any of these types: the newest of each type,
 * by its index, and of the newest of all types the newest. Deliveries without a type are read through,
 * but only if the page reaches as far as the newest of them.
 * @param where the conditions on the endpoint and the identifier; receives the parameters
 */
function pageOfTypes(where: Conditions, types: readonly EventTypeName[], limit: number): string {
  const conditions = where.sql();
  const wanted = where.bind(types);
  // Ordered by the type, too: of those without one, the planner doesn't know that it is the same.
  const newest = (type: string, most: number): string => `
    SELECT d.event_id, d.id FROM delivery d WHERE ${conditions} AND ${type}
    ORDER BY d.event_type DESC, d.id DESC LIMIT ${most}`;
  return `
    WITH typed AS MATERIALIZED (
      SELECT newest.* FROM unnest(${wanted}::text[]) AS kind (type)
        CROSS JOIN LATERAL (${newest('d.event_type = kind.type', limit)}) newest
      ORDER BY id DESC LIMIT ${limit}
    ), page AS (
      SELECT * FROM typed
      UNION ALL
      (${newest(
        `d.event_type IS NULL AND ${typeOfEvent} = ANY(${wanted})
        AND (SELECT newest.id FROM (${newest('d.event_type IS NULL', 1)}) newest)
          > (SELECT CASE count(*) WHEN ${limit} THEN min(id) ELSE '' END FROM typed)`,
        limit,
      )})
      ORDER BY id DESC LIMIT ${limit}
    )
    SELECT ${columns} FROM ${withLast} JOIN page ON page.event_id = d.event_id AND page.id = d.id
    ORDER BY d.id DESC`;
}

/** How many deliveries match the filters. */
export async function countDeliveries(
  tx: Tx,
  projectId: string,
  filters: DeliveryFilters & Of,
): Promise<number> {
  const { text, values } = countStatement(projectId, filters);
  const [row] = await query<{ n: number }>(tx, text, values);
  return row!.n;
}

/** The statement of `countDeliveries`. */
export function countStatement(
  projectId: string,
  filters: DeliveryFilters & Of,
): { text: string; values: unknown[] } {
  const where = conditions(projectId, { ...filters, eventTypes: undefined });
  const all = `SELECT count(*) AS n FROM ${sourceOf(filters)} WHERE ${where.sql()}`;
  if (!filters.eventTypes) return { text: all, values: where.values };
  const wanted = where.bind(filters.eventTypes);
  // Apart, those with a type are counted in its index.
  const text = `SELECT (${all} AND d.event_type = ANY(${wanted}))
    + (${all} AND d.event_type IS NULL AND EXISTS (
      SELECT FROM event e WHERE e.id = d.event_id AND e.type = ANY(${wanted}))) AS n`;
  return { text, values: where.values };
}

/** A delivery to an endpoint of the project, or null. */
export async function findDelivery(
  tx: Tx,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await prepared<DeliveryRow>(
    tx,
    `SELECT ${columns} FROM ${withLast}
     WHERE d.project_id = $1 AND d.endpoint_id = $2 AND d.id = $3
       AND EXISTS (SELECT FROM webhook_endpoint e WHERE e.project_id = $1 AND e.id = $2)`,
    [projectId, endpointId, id],
  );
  return row ?? null;
}

/**
 * A delivery with all its attempts, in order.
 * @param unseal composes the messages of the attempts; null hides these and the responses, which may
 *   contain the event
 */
export async function readAttempts(
  tx: Tx,
  projectId: string,
  delivery: DeliveryRow,
  unseal: OpenSealed | null,
): Promise<DeliveryWithAttempts> {
  const [attempts, sent] = await Promise.all([
    tx.find(Attempt, {
      where: { projectId, eventId: delivery.event_id, deliveryId: delivery.id },
      order: { number: 'ASC' },
    }),
    unseal && readMessages(tx, projectId, delivery, unseal),
  ]);
  const { trigger, begun_at: begunAt } = delivery;
  const open: AttemptRecord[] =
    begunAt === null || trigger === null
      ? []
      : [
          {
            ...{
              number: delivery.attempts,
              trigger,
              outcome: 'unknown',
              at: begunAt.toISOString(),
            },
            ...{ status: null, duration_ms: null, timings: null, error: null },
            ...{ response_excerpt: null, next_attempt_at: null },
            request_headers: sent?.headersAt(begunAt) ?? null,
          },
        ];
  const ended = attempts.map(
    (attempt): AttemptRecord => ({
      number: attempt.number,
      trigger: attempt.trigger,
      outcome: attempt.outcome,
      at: attempt.at.toISOString(),
      status: attempt.status,
      duration_ms: attempt.durationMs,
      timings: attempt.timings,
      error: attempt.error,
      response_excerpt: unseal && attempt.responseExcerpt,
      request_headers: sent?.headersAt(attempt.at) ?? null,
      next_attempt_at: attempt.nextAttemptAt?.toISOString() ?? null,
    }),
  );
  return {
    ...presentDelivery(delivery),
    request: sent?.request ?? null,
    attempts: [...ended, ...open],
  };
}

/**
 * Makes a delivery due at once for one more attempt, also a cancelled one. If that attempt fails,
 * the delivery returns to its former state: the automatic schedule keeps its step and its time.
 * Requests before the attempt count as one.
 * @throws Problem 409 while an attempt is in progress, or when the endpoint is not enabled
 */
export async function redeliver(
  tx: Tx,
  given: WebhookEndpoint,
  delivery: DeliveryRow,
): Promise<DeliveryRow> {
  const endpoint = await lockEndpoint(tx, given.projectId, given.id);
  if (!endpoint) throw notFound('webhook', given.id);
  if (endpoint.state !== 'enabled') {
    throw new Problem('state_conflict', `The webhook is ${endpoint.state}; enable it first.`);
  }
  // The flow and what is due are locked before the delivery, as everywhere: the success of a replay
  // settles a delivery that may become due here.
  lockFlows(tx, [endpoint.id]);
  send(tx, 'SELECT FROM due_delivery WHERE id = $1 FOR UPDATE', [delivery.id]);
  const changed = await prepared<{ id: string }>(
    tx,
    `WITH held AS (
       SELECT d.*, event.ordinal FROM delivery d JOIN event ON event.id = d.event_id
       WHERE d.project_id = $1 AND d.event_id = $2 AND d.endpoint_id = $3 AND d.id = $4 FOR UPDATE OF d
     ), due AS (
       INSERT INTO due_delivery AS due (id, project_id, endpoint_id, event_id, replay_id, ordinal,
         lane, attempts, lease_epoch, resume_state)
       -- Each attempt raised the epoch by one. It continues from there, which invalidates the epoch
       -- of a late worker.
       SELECT id, project_id, endpoint_id, event_id, replay_id, ordinal, 0, attempts, attempts, state
       FROM held
       ON CONFLICT (id) DO UPDATE SET
         resume_state = coalesce(due.resume_state, 'pending'),
         resume_due_at = CASE WHEN due.resume_state IS NULL THEN due.due_at ELSE due.resume_due_at END,
         lane = 0, due_at = least(due.due_at, now())
       WHERE due.lease_until IS NULL
       RETURNING id
     )
     UPDATE delivery d SET state = 'pending' FROM due
     WHERE d.event_id = $2 AND d.endpoint_id = $3 AND d.id = due.id RETURNING d.id`,
    [endpoint.projectId, delivery.event_id, endpoint.id, delivery.id],
  );
  if (changed.length === 0) {
    throw new Problem(
      'state_conflict',
      'An attempt at this delivery is in progress; wait for it to end.',
      {
        retryable: true,
      },
    );
  }
  return (await findDelivery(tx, endpoint.projectId, endpoint.id, delivery.id))!;
}

/** A delivery as the API shows it. */
export function presentDelivery(row: DeliveryRow): DeliveryRecord {
  const open = row.state === 'pending' || row.state === 'delivering';
  return {
    id: row.id,
    webhook_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    state: row.state,
    reason: open ? null : row.reason,
    attempts_made: row.attempts,
    last_attempt: presentLast(row),
    next_attempt_at: row.state === 'pending' ? (row.next_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    finished_at: open ? null : (row.finished_at?.toISOString() ?? null),
  };
}

function presentLast(row: DeliveryRow): DeliveryRecord['last_attempt'] {
  const { last_number: number, last_at: at, last_outcome: outcome } = row;
  if (number === null || at === null || outcome === null) return null;
  const { last_status: status, last_ms: duration_ms, last_error: error } = row;
  return { number, at: at.toISOString(), outcome, status, duration_ms, error };
}

function stateCondition(state: DeliveryState, where: Conditions): string {
  if (state === 'delivering') return 'due.lease_until IS NOT NULL';
  if (state === 'pending') return '(due.id IS NOT NULL AND due.lease_until IS NULL)';
  if (state === 'succeeded') return `d.state = ${where.bind(state)}`;
  // Failed deliveries are few and have their own index.
  return `d.failed_as = ${where.bind(state)}`;
}

/**
 * Every delivery but those that succeeded at once: implied by filters that these never match, and
 * known without looking up the attempts of each.
 */
const isEventful = '(d.first_succeeded IS NOT TRUE OR d.attempts > 1 OR due.id IS NOT NULL)';

/** The status of a first attempt, as a condition that the planner can check before the attempts. */
function firstStatusCondition(code: string, where: Conditions): string | null {
  if (code === 'none') return null;
  if (code.endsWith('xx')) return `d.first_status / 100 = ${where.bind(Number(code[0]))}`;
  return `d.first_status = ${where.bind(Number(code))}`;
}

function statusCondition(code: string, where: Conditions): string {
  if (code === 'none') return '(last.number IS NOT NULL AND last.status IS NULL)';
  if (code.endsWith('xx')) return `last.status / 100 = ${where.bind(Number(code[0]))}`;
  return `last.status = ${where.bind(Number(code))}`;
}

function conditions(projectId: string, filters: DeliveryFilters & Of): Conditions {
  const where = new Conditions();
  where.add('d.project_id = ?', projectId);
  if ('eventId' in filters) where.add('d.event_id = ?', filters.eventId);
  else where.add('d.endpoint_id = ?', filters.endpointId);
  if (filters.state) {
    where.add(`(${filters.state.map((state) => stateCondition(state, where)).join(' OR ')})`);
  }
  if (filters.eventTypes) where.add(`${eventType} = ANY(?)`, filters.eventTypes);
  if (filters.outcomes) {
    if (!filters.outcomes.includes('succeeded')) where.add(isEventful);
    where.add('last.outcome = ANY(?)', filters.outcomes);
  }
  if (filters.statusCodes) {
    const firsts = filters.statusCodes.flatMap((code) => firstStatusCondition(code, where) ?? []);
    where.add(`(${[...firsts, isEventful].join(' OR ')})`);
    where.add(`(${filters.statusCodes.map((code) => statusCondition(code, where)).join(' OR ')})`);
  }
  return where;
}
