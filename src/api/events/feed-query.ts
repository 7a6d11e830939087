import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { matchesType } from '@scriptorium/contracts/events/matches-type';
import { typesIn } from '@scriptorium/contracts/events/patterns';
import { isId } from '@scriptorium/contracts/ids';
import { actorTypes } from '@scriptorium/contracts/origin';
import { invalidParameter, Problem } from '@scriptorium/contracts/problems';
import { grants, type Scope } from '@scriptorium/contracts/scopes';
import { Time } from '@scriptorium/contracts/wire/common';
import { commaList } from '@scriptorium/contracts/wire/shapes';
import { type Static, Type } from 'typebox';
import type { Tx } from '../../db/transaction.ts';
import { sequenceOf } from '../../outbox/feed/feed.ts';
import type { EventCategory, FeedFilters } from '../../outbox/feed/filters.ts';

/** The resource types of all events. */
const resourceTypes = [...new Set(eventTypeNames.map((type) => eventTypes[type].resource))].sort();

/** A filter that accepts any of several values. */
function anyOf(description: string) {
  return Type.Optional(commaList(Type.String({ maxLength: 100 }), description, { maxItems: 100 }));
}

/** The filter parameters of the list and the stream. */
export const feedParameters = {
  category: Type.Enum(['domain', 'audit'], {
    default: 'domain',
    description: '`audit` requires the `audit:read` scope.',
  }),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'An event (`evt_…`) or a sequence. Reading starts after it.',
    }),
  ),
  type: Type.Optional(
    commaList(
      Type.String({ maxLength: 200 }),
      'Event types. `documents.*` matches all types with this prefix.',
      { maxItems: 100 },
    ),
  ),
  resource_id: anyOf('Resource identifiers.'),
  resource_type: Type.Optional(commaList(Type.Enum(resourceTypes), 'Resource types.')),
  actor_type: Type.Optional(commaList(Type.Enum([...actorTypes]), 'Actor types.')),
  actor_id: anyOf('Actor identifiers, such as an API key (`key_…`).'),
  address: anyOf('Client IP addresses. Requires the `audit:read` scope.'),
  request_id: anyOf('The `X-Request-Id` of the requests that caused the events.'),
  occurred_after: Type.Optional(Time),
  occurred_before: Type.Optional(Time),
};

const parameters = Type.Object(feedParameters);

/**
 * Reads the filters of a feed from the query.
 * @throws Problem 403 for audit events or addresses without the scope, 400 for unknown types
 */
export function readFilters(
  query: Static<typeof parameters>,
  scopes: readonly Scope[],
): Omit<FeedFilters, 'published'> {
  const category: EventCategory = query.category;
  viewFor(query, scopes);
  // Throws for patterns that match no type.
  if (query.type) findMatchingTypes(query.type, { category, parameter: 'type' });
  return {
    category,
    types: query.type,
    resourceId: query.resource_id,
    resourceType: query.resource_type,
    actorType: query.actor_type,
    actorId: query.actor_id,
    address: query.address,
    requestId: query.request_id,
    occurredAfter: query.occurred_after,
    occurredBefore: query.occurred_before,
  };
}

/**
 * Returns the parts of events that a key may see with its current scopes.
 * @throws Problem 403 for audit events or a filter by address without the scope
 */
export function viewFor(
  feed: { category: EventCategory; address?: readonly string[] | undefined },
  scopes: readonly Scope[],
): { withAddress: boolean } {
  if (feed.category === 'audit' || feed.address !== undefined) requireAudit(scopes);
  return { withAddress: grants(scopes, 'audit:read') };
}

/** @throws Problem 403 without the `audit:read` scope */
function requireAudit(scopes: readonly Scope[]): void {
  if (grants(scopes, 'audit:read')) return;
  throw new Problem('insufficient_scope', 'The API key lacks the `audit:read` scope.', {
    extra: { required_scopes: ['audit:read'] },
  });
}

/**
 * The types that patterns match, in one category or in both.
 * @throws Problem 400 for a pattern without a match
 */
export function findMatchingTypes(
  patterns: readonly string[],
  { category, parameter }: { category?: EventCategory; parameter: string },
): readonly EventTypeName[] {
  const known = typesIn(category);
  const unknown = patterns.filter((pattern) => !known.some((type) => matchesType(pattern, type)));
  if (unknown.length > 0) {
    const other = category === 'audit' ? 'domain' : 'audit';
    const detailOf = (pattern: string): string =>
      eventTypeNames.some((type) => matchesType(pattern, type))
        ? `'${pattern}' is not in the category \`${category}\`. Send \`category=${other}\`.`
        : `Unknown event type '${pattern}'. GET /v1/event-types lists all types.`;
    throw invalidParameter(
      ...unknown.map((pattern) => ({
        parameter,
        code: 'unknown_event_type',
        detail: detailOf(pattern),
        allowed: known,
      })),
    );
  }
  return known.filter((type) => patterns.some((pattern) => matchesType(pattern, type)));
}

/**
 * The sequence of `after`.
 * @throws Problem 400 if it is neither a sequence nor an event of this feed, 410 if it is no longer
 *   retained
 */
export async function readAfter(
  tx: Tx,
  projectId: string,
  category: EventCategory,
  after: string,
): Promise<number> {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  if (isId('event', after)) return sequenceOf(tx, projectId, category, after);
  const detail = 'It must be a sequence or the identifier of an event (`evt_…`).';
  throw invalidParameter({ parameter: 'after', code: 'wrong_format', detail });
}
