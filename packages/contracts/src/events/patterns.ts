import { type EventTypeName, eventTypeNames, eventTypes } from '../events.ts';
import type { Scope } from '../scopes.ts';
import { matchesType } from './matches-type.ts';

/** The event types of a category, or of both. */
export function typesIn(category?: 'domain' | 'audit'): EventTypeName[] {
  return eventTypeNames.filter(
    (type) => category === undefined || eventTypes[type].category === category,
  );
}

/**
 * Converts a pattern to a regular expression that works in JavaScript and Postgres. It also matches
 * types that only a newer version of this service knows.
 */
export function patternExpression(pattern: string): string {
  const segments = pattern.split('.').map((segment, at, all) => {
    if (segment !== '*') return segment.replace(/[^a-z0-9_]/g, '\\$&');
    return at === all.length - 1 ? '.+' : '[^.]+';
  });
  return `^${segments.join('\\.')}$`;
}

/** The known types that a pattern matches. */
function typesMatching(pattern: string): EventTypeName[] {
  return eventTypeNames.filter((type) => matchesType(pattern, type));
}

/**
 * Whether an endpoint with these patterns receives an event. Wildcards match domain types only;
 * audit types must be named. The type may be one that only a newer version of this service knows.
 */
export function wantsType(
  patterns: readonly string[],
  { type, category }: { type: string; category: 'domain' | 'audit' },
): boolean {
  return patterns.some(
    (pattern) => pattern === type || (category === 'domain' && matchesType(pattern, type)),
  );
}

/** The scopes that a key needs to read events of these types, or to send them to a webhook. */
export function scopesToRead(patterns: readonly string[]): Scope[] {
  const hasAudit = typesIn('audit').some((type) => patterns.includes(type));
  return hasAudit ? ['events:read', 'audit:read'] : ['events:read'];
}

const patternShape = /^(?:\*|[a-z][a-z0-9_]*)(?:\.(?:\*|[a-z][a-z0-9_]*))*$/;

/** Returns the reason why a pattern of a webhook is invalid; null if it is valid. */
export function patternFault(pattern: string): string | null {
  if (!patternShape.test(pattern)) {
    return 'It must be segments separated by dots, such as `documents.job.succeeded` or `documents.*`.';
  }
  const isWanted = (type: EventTypeName) =>
    wantsType([pattern], { type, category: eventTypes[type].category });
  if (eventTypeNames.some(isWanted)) return null;
  const auditTypes = typesMatching(pattern);
  return auditTypes.length > 0
    ? `It must name audit types in full, since wildcards do not match them: ${auditTypes.join(', ')}.`
    : 'It does not match any event type. GET /v1/event-types lists all types.';
}
