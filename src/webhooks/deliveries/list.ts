import { type EventTypeName, eventTypeNames } from '@scriptorium/contracts/events';
import type { AttemptRecord } from '@scriptorium/contracts/wire/webhooks';
import { Conditions } from '../../db/statements/conditions.ts';
import { query, type Tx } from '../../db/transaction.ts';
import {
  type DeliveryRow,
  type DeliveryState,
  deliveriesWithLast,
  deliveryRowColumns,
  deliveryTables,
  withLastAttempt,
} from './row.ts';

/** The scope of a list: deliveries to an endpoint, or those of an event to all endpoints. */
type DeliveryScope = { endpointId: string } | { eventId: string };

/** The filters of a list of deliveries. */
interface DeliveryFilters {
  state?: readonly DeliveryState[] | undefined;
  eventTypes?: readonly EventTypeName[] | undefined;
  /** Of the latest attempt that has ended. */
  outcomes?: readonly AttemptRecord['outcome'][] | undefined;
  /** Such as `503`, `5xx`, or `none` for attempts without a response. */
  statusCodes?: readonly string[] | undefined;
}

/** Deliveries of a project, newest first, optionally only those before an identifier. */
export async function listDeliveries(
  tx: Tx,
  projectId: string,
  filters: DeliveryFilters & DeliveryScope,
  page: { before?: string | null | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const { text, values } = listStatement(projectId, filters, page);
  return query<DeliveryRow>(tx, text, values);
}

/** The statement of `listDeliveries`. */
export function listStatement(
  projectId: string,
  filters: DeliveryFilters & DeliveryScope,
  page: { before?: string | null | undefined; limit: number },
): { text: string; values: unknown[] } {
  const types = isByType(filters) ? filters.eventTypes : undefined;
  const where = deliveryConditions(
    projectId,
    types ? { ...filters, eventTypes: undefined } : filters,
  );
  if (page.before) where.add('d.id < ?', page.before);
  const newestOf = (source: string): string =>
    `SELECT ${deliveryRowColumns} FROM ${source} ORDER BY d.id DESC LIMIT ${page.limit}`;
  let text: string;
  if (types) {
    text = typesPageStatement(where, types, page.limit);
  } else if (isFailedOnly(filters)) {
    const [ended, others] = failedSources(where, projectId, filters.endpointId);
    text = `(${newestOf(ended)}) UNION ALL (${newestOf(others)}) ORDER BY id DESC LIMIT ${page.limit}`;
  } else {
    text = newestOf(`${deliveriesWithLast} WHERE ${where.sql()}`);
  }
  return { text, values: where.values };
}

/**
 * Whether a page is read from the index of types. If another filter excludes every delivery of a
 * type, all of them would be read.
 */
function isByType({ eventTypes, state, outcomes, statusCodes }: DeliveryFilters): boolean {
  if (!eventTypes || state || outcomes || statusCodes) return false;
  return eventTypes.length < eventTypeNames.length;
}

/**
 * Whether only deliveries to an endpoint are requested whose latest attempt did not succeed.
 * Deliveries in certain states are read by their state.
 */
function isFailedOnly(
  filters: DeliveryFilters & DeliveryScope,
): filters is DeliveryFilters & { endpointId: string } {
  const { state, outcomes, statusCodes } = filters;
  if (!('endpointId' in filters) || state) return false;
  if (outcomes && !outcomes.includes('succeeded')) return true;
  return statusCodes?.every((code) => !code.startsWith('2')) ?? false;
}

/**
 * The source of deliveries whose latest attempt did not succeed, with their conditions, in two
 * disjoint parts: those that have ended, which are in an index, and those still to be attempted or
 * attempted again manually after a success.
 * @param where other conditions; receives the parameters
 */
function failedSources(where: Conditions, projectId: string, endpointId: string): [string, string] {
  const conditions = where.sql();
  const [project, endpoint] = [where.bind(projectId), where.bind(endpointId)];
  // As in the index `delivery_ended_failed`: all attempts of originals that a replay settled had
  // failed.
  const ended = `(d.failed_as IS NOT NULL OR d.reason = 'replayed')`;
  // Looked up one by one: otherwise the planner might read all deliveries in order to find these.
  const others = `(
      SELECT o.event_id, o.id FROM due_delivery o
      WHERE o.project_id = ${project} AND o.endpoint_id = ${endpoint} AND o.attempts > 0
      UNION
      SELECT h.event_id, h.delivery_id FROM attempt h
      WHERE h.project_id = ${project} AND h.trigger = 'manual' AND h.outcome <> 'succeeded'
    ) other CROSS JOIN LATERAL (
      SELECT d.* FROM delivery d WHERE d.event_id = other.event_id AND d.id = other.id OFFSET 0) d`;
  return [
    `${deliveriesWithLast} WHERE ${conditions} AND ${ended}`,
    `${withLastAttempt(others)} WHERE ${conditions} AND ${ended} IS NOT TRUE`,
  ];
}

/** The tables that filters need: attempts are looked up for each delivery. */
function sourceOf({ outcomes, statusCodes }: DeliveryFilters): string {
  return outcomes || statusCodes ? deliveriesWithLast : deliveryTables;
}

/**
 * A statement that reads a page of deliveries of events of any of these types: it reads the newest of
 * each type by an index, and returns the newest of these.
 * @param where the conditions on the endpoint and the identifier; receives the parameters
 */
function typesPageStatement(
  where: Conditions,
  types: readonly EventTypeName[],
  limit: number,
): string {
  const conditions = where.sql();
  const typesParameter = where.bind(types);
  return `
    WITH page AS MATERIALIZED (
      SELECT newest.* FROM unnest(${typesParameter}::text[]) AS kind (type)
        CROSS JOIN LATERAL (
          SELECT d.event_id, d.id FROM delivery d WHERE ${conditions} AND d.event_type = kind.type
          ORDER BY d.id DESC LIMIT ${limit}) newest
      ORDER BY id DESC LIMIT ${limit}
    )
    SELECT ${deliveryRowColumns} FROM ${deliveriesWithLast} JOIN page ON page.event_id = d.event_id AND page.id = d.id
    ORDER BY d.id DESC`;
}

/** How many deliveries match the filters. */
export async function countDeliveries(
  tx: Tx,
  projectId: string,
  filters: DeliveryFilters & DeliveryScope,
): Promise<number> {
  const { text, values } = countStatement(projectId, filters);
  const [row] = await query<{ n: number }>(tx, text, values);
  return row!.n;
}

/** The statement of `countDeliveries`. */
export function countStatement(
  projectId: string,
  filters: DeliveryFilters & DeliveryScope,
): { text: string; values: unknown[] } {
  if (isFailedOnly(filters)) {
    const where = deliveryConditions(projectId, filters);
    const [ended, others] = failedSources(where, projectId, filters.endpointId);
    const text = `SELECT (SELECT count(*) FROM ${ended}) + (SELECT count(*) FROM ${others}) AS n`;
    return { text, values: where.values };
  }
  const where = deliveryConditions(projectId, filters);
  const text = `SELECT count(*) AS n FROM ${sourceOf(filters)} WHERE ${where.sql()}`;
  return { text, values: where.values };
}

function stateCondition(state: DeliveryState, where: Conditions): string {
  if (state === 'delivering') return 'due.lease_until IS NOT NULL';
  if (state === 'pending') return '(due.id IS NOT NULL AND due.lease_until IS NULL)';
  if (state === 'succeeded') return `d.state = ${where.bind(state)}`;
  // Failed deliveries are few and have their own index.
  return `d.failed_as = ${where.bind(state)}`;
}

/**
 * Every delivery except those whose first attempt succeeded. Filters that never match those imply
 * this condition, which is evaluated without reading attempts.
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

function deliveryConditions(
  projectId: string,
  filters: DeliveryFilters & DeliveryScope,
): Conditions {
  const where = new Conditions();
  where.add('d.project_id = ?', projectId);
  if ('eventId' in filters) where.add('d.event_id = ?', filters.eventId);
  else where.add('d.endpoint_id = ?', filters.endpointId);
  if (filters.state) {
    where.add(`(${filters.state.map((state) => stateCondition(state, where)).join(' OR ')})`);
  }
  if (filters.eventTypes) where.add('d.event_type = ANY(?)', filters.eventTypes);
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
