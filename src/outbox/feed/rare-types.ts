import { patternExpression } from '@scriptorium/contracts/events/patterns';
import type { Conditions } from '../../db/statements/conditions.ts';

/**
 * Reading events of several types or patterns. If the types are frequent, the next events of the feed
 * contain enough of them; if they are rare, the index of types finds them at any distance. The planner
 * cannot choose, because its statistics cover all projects.
 */

/** Number of events of the feed that are read before each type is read by its index. */
export const maxFeedScan = 2_000;

/** The condition on the feed, with the first parameters of `feedConditions`. */
const feedSql = 'project_id = $1 AND category = $2 AND sequence IS NOT NULL';

/**
 * A source with a page of events of each of these types, by the index of types. Types are found by
 * skipping from one to the next in the index, because a newer release that runs at the same time may
 * record types that this one does not know, and a reader that passes an event never returns to it.
 * @param where all other conditions; receives the parameters
 * @param page the order and the limit
 */
export function eventsOfTypes(where: Conditions, types: readonly string[], page: string): string {
  const conditions = where.sql();
  return `(
    WITH RECURSIVE kind AS (
      (SELECT type FROM event WHERE ${feedSql} ORDER BY type LIMIT 1)
      UNION ALL
      SELECT (SELECT e.type FROM event e WHERE ${feedSql} AND e.type > kind.type
        ORDER BY e.type LIMIT 1)
      FROM kind WHERE kind.type IS NOT NULL
    )
    SELECT event.* FROM kind CROSS JOIN LATERAL (
      SELECT * FROM event WHERE ${conditions} AND type = kind.type ${page}) event
    WHERE kind.type ~ ANY(${where.bind(types.map(patternExpression))})) event`;
}
