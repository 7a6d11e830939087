import { patternExpression } from '@scriptorium/contracts/events/patterns';
import { Conditions } from '../../db/statements/conditions.ts';
import { unpublishedEvents } from './unpublished.ts';

export type EventCategory = 'domain' | 'audit';

/** The filters of a reader. */
export interface FeedFilters {
  category: EventCategory;
  published?: boolean | undefined;
  /** Any of these types or patterns; all types when absent. */
  types?: readonly string[] | undefined;
  resourceId?: readonly string[] | undefined;
  resourceType?: readonly string[] | undefined;
  actorType?: readonly string[] | undefined;
  actorId?: readonly string[] | undefined;
  /** Only for readers of the audit feed: others could guess addresses by filtering. */
  address?: readonly string[] | undefined;
  requestId?: readonly string[] | undefined;
  occurredAfter?: string | undefined;
  occurredBefore?: string | undefined;
}

/**
 * The source and order of events that match the filters. Unpublished events are found through the
 * stretches of the feed.
 */
export function feedSource(
  where: Conditions,
  projectId: string,
  { category, published }: FeedFilters,
  range: { from?: number; to?: number | undefined },
): { from: string; order: string[] } {
  if (published !== false) return { from: 'event', order: ['sequence'] };
  // Audit events are published as they are numbered, so none are unpublished.
  if (category === 'audit') where.add('false');
  return { from: unpublishedEvents(where, projectId, range), order: ['stretch', 'sequence'] };
}

/** Whether these are one type: not several, and not a pattern. */
export function isSingleType(types: readonly string[] | undefined): types is readonly [string] {
  return types?.length === 1 && !types[0]?.includes('*');
}

const idBoundSql = (sign: '+' | '-') =>
  `id_floor('evt', greatest('epoch', ?::timestamptz ${sign} interval '1 day'))`;

/** Filters as conditions on the table of events. */
export function feedConditions(projectId: string, filters: FeedFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND category = ?', projectId, filters.category);
  where.add('sequence IS NOT NULL');
  if (filters.published !== undefined) {
    where.add(`published_at IS ${filters.published ? 'NOT NULL' : 'NULL'}`);
  }
  if (isSingleType(filters.types)) where.add('type = ?', filters.types[0]);
  else if (filters.types) {
    // Not limited to the types that this release knows: a newer release that runs at the same time
    // may record others, and a reader that passes an event never returns to it.
    where.add('type ~ ANY(?)', filters.types.map(patternExpression));
  }
  const anyOf = (column: string, values: readonly string[] | undefined): void => {
    // A single value is compared directly: it is the most frequent case, and Postgres estimates it
    // best.
    if (values?.length === 1) where.add(`${column} = ?`, values[0]);
    else if (values) where.add(`${column} = ANY(?::text[])`, values);
  };
  anyOf('resource_id', filters.resourceId);
  anyOf('resource_type', filters.resourceType);
  anyOf('actor_type', filters.actorType);
  anyOf('actor_id', filters.actorId);
  anyOf('address', filters.address);
  anyOf('request_id', filters.requestId);
  // Identifiers sort by creation time: with a day to spare they limit the partitions to read.
  const { occurredAfter: since, occurredBefore: before } = filters;
  if (since !== undefined) {
    where.add(`occurred_at > ? AND id >= ${idBoundSql('-')}`, since, since);
  }
  if (before !== undefined) {
    where.add(`occurred_at < ? AND id < ${idBoundSql('+')}`, before, before);
  }
  return where;
}
