import { type EventTypeName, eventTypeNames, eventTypes } from './events.ts';
import { matchesType } from './matches-type.ts';
import type { Scope } from './scopes.ts';

/** The types of a category, or all of them. */
export function typesIn(category?: 'domain' | 'audit'): EventTypeName[] {
  return eventTypeNames.filter(
    (type) => category === undefined || eventTypes[type].category === category,
  );
}

/**
 * A pattern as a regular expression for the same types, here and in Postgres: for what reads types
 * that only a newer version of this service knows.
 */
export function patternExpression(pattern: string): string {
  const segments = pattern.split('.').map((segment, at, all) => {
    if (segment !== '*') return segment.replace(/[^a-z0-9_]/g, '\\$&');
    return at === all.length - 1 ? '.+' : '[^.]+';
  });
  return `^${segments.join('\\.')}$`;
}

/** The types a pattern stands for; none when it is unknown. */
function typesMatching(pattern: string): EventTypeName[] {
  return eventTypeNames.filter((type) => matchesType(pattern, type));
}

/**
 * Whether an endpoint wants an event: wildcards match domain types, audit types must be named. The
 * type may be one that only a newer version of this service knows.
 */
export function wantsType(
  patterns: readonly string[],
  { type, category }: { type: string; category: 'domain' | 'audit' },
): boolean {
  return patterns.some(
    (pattern) => pattern === type || (category === 'domain' && matchesType(pattern, type)),
  );
}

/** What a key needs to be sent, or to send on, events of these types: what reading them needs. */
export function scopesToRead(patterns: readonly string[]): Scope[] {
  const hasAudit = typesIn('audit').some((type) => patterns.includes(type));
  return hasAudit ? ['events:read', 'audit:read'] : ['events:read'];
}

const shape = /^(?:\*|[a-z][a-z0-9_]*)(?:\.(?:\*|[a-z][a-z0-9_]*))*$/;

/** What is wrong with a pattern that an endpoint would subscribe with; null when it is good. */
export function patternFault(pattern: string): string | null {
  if (!shape.test(pattern)) {
    return 'It must be dotted segments, such as documents.job.succeeded or documents.*.';
  }
  const wanted = (type: EventTypeName) =>
    wantsType([pattern], { type, category: eventTypes[type].category });
  if (eventTypeNames.some(wanted)) return null;
  const audit = typesMatching(pattern);
  return audit.length > 0
    ? `Wildcards match no types of the category audit; name them: ${audit.join(', ')}.`
    : 'There is no such type of event; GET /v1/event-types lists them.';
}
