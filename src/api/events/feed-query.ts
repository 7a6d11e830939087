import { type Static, Type } from 'typebox';
import { type EventTypeName, eventTypeNames, eventTypes } from '../../contracts/events.ts';
import { isId } from '../../contracts/ids.ts';
import { matchesType } from '../../contracts/matches-type.ts';
import { actorTypes } from '../../contracts/origin.ts';
import { typesIn } from '../../contracts/patterns.ts';
import { invalidParameter, Problem } from '../../contracts/problems.ts';
import { grants, type Scope } from '../../contracts/scopes.ts';
import { Time } from '../../contracts/wire/common.ts';
import { commaList } from '../../contracts/wire/shapes.ts';
import type { Tx } from '../../db/transaction.ts';
import { type EventCategory, type FeedFilters, sequenceOf } from '../../outbox/feed/feed.ts';

/** What kinds of resource there are events of. */
const resourceTypes = [...new Set(eventTypeNames.map((type) => eventTypes[type].resource))].sort();

/** A filter by any of some texts. */
function anyOf(description: string) {
  return Type.Optional(commaList(Type.String({ maxLength: 100 }), description, { maxItems: 100 }));
}

/** The query parameters by which a feed is narrowed, for the list and the stream. */
export const feedParameters = {
  category: Type.Enum(['domain', 'audit'], {
    default: 'domain',
    description: 'audit needs the scope audit:read.',
  }),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'An event (evt_…) or a sequence: what comes after it in reading order.',
    }),
  ),
  type: Type.Optional(
    commaList(
      Type.String({ maxLength: 200 }),
      'Any of these; `documents.*` stands for all that begin so.',
      { maxItems: 100 },
    ),
  ),
  resource_id: anyOf('The identifiers of resources.'),
  resource_type: Type.Optional(
    commaList(Type.Enum(resourceTypes), 'What kinds of resource they are about.'),
  ),
  actor_type: Type.Optional(
    commaList(Type.Enum([...actorTypes]), 'What kinds of actor are behind it.'),
  ),
  actor_id: anyOf('Who is behind it, such as an API key (key_…).'),
  address: anyOf('The addresses it was asked for from. Needs the scope audit:read.'),
  request_id: anyOf('The `X-Request-Id` of the requests that did it.'),
  occurred_after: Type.Optional(Time),
  occurred_before: Type.Optional(Time),
};

const parameters = Type.Object(feedParameters);

/**
 * The filters of a feed out of its query.
 * @throws Problem 403 for the audit feed, or an address, without the scope for it, 400 for types that are not in it
 */
export function readFilters(
  query: Static<typeof parameters>,
  held: readonly Scope[],
): Omit<FeedFilters, 'published'> {
  const category: EventCategory = query.category;
  viewFor(query, held);
  // Refuses what stands for nothing.
  if (query.type) typesOf(query.type, { category, parameter: 'type' });
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
 * What a key sees of a feed, by the scopes it has now.
 * @throws Problem 403 for the audit feed, or what is asked for by address, without its scope
 */
export function viewFor(
  feed: { category: EventCategory; address?: readonly string[] | undefined },
  held: readonly Scope[],
): { withAddress: boolean } {
  if (feed.category === 'audit' || feed.address !== undefined) requireAudit(held);
  return { withAddress: grants(held, 'audit:read') };
}

/** @throws Problem 403 without the scope that audit events need */
export function requireAudit(held: readonly Scope[]): void {
  if (grants(held, 'audit:read')) return;
  throw new Problem('insufficient_scope', 'The API key needs the scope audit:read for this.', {
    extra: { required_scopes: ['audit:read'] },
  });
}

/**
 * The types that patterns stand for, in one category or in both.
 * @throws Problem 400 for a pattern that stands for none
 */
export function typesOf(
  patterns: readonly string[],
  { category, parameter }: { category?: EventCategory; parameter: string },
): readonly EventTypeName[] {
  const known = typesIn(category);
  const unknown = patterns.filter((pattern) => !known.some((type) => matchesType(pattern, type)));
  if (unknown.length > 0) {
    const elsewhere = unknown.some((pattern) =>
      eventTypeNames.some((type) => matchesType(pattern, type)),
    );
    const detail = elsewhere
      ? `'${unknown.join("', '")}' is not of the category ${category}; say category=${category === 'audit' ? 'domain' : 'audit'}.`
      : `There is no type of event '${unknown.join("', '")}'.`;
    throw new Problem('invalid_parameter', detail, {
      errors: unknown.map((pattern) => ({
        parameter,
        code: 'unknown_event_type',
        detail: `No type of this feed matches '${pattern}'.`,
        allowed: known,
      })),
    });
  }
  return known.filter((type) => patterns.some((pattern) => matchesType(pattern, type)));
}

/**
 * The sequence that `after` stands for.
 * @throws Problem 400 when it is neither an event of this feed nor a sequence, 410 when it is gone
 */
export async function readAfter(
  tx: Tx,
  projectId: string,
  category: EventCategory,
  after: string,
): Promise<number> {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  if (isId('event', after)) return sequenceOf(tx, projectId, category, after);
  const detail = 'It must be a sequence, or the identifier of an event (evt_…).';
  throw invalidParameter({ parameter: 'after', code: 'wrong_format', detail });
}
