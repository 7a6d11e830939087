import { patternExpression } from '@scriptorium/contracts/events/patterns';
import type { Conditions } from '../../db/statements/conditions.ts';

/**
 * Events of several types, or of patterns of types. Where these are frequent, the next events of the
 * feed contain enough of them; where they are seldom, the index of types finds them, however far away.
 * The planner cannot choose: its statistics are those of all projects.
 */

/** How many events of the feed are read before the types are looked up one by one. */
export const nearby = 2_000;

/** The feed, as `feedConditions` names it first. */
const ofFeed = 'project_id = $1 AND category = $2 AND sequence IS NOT NULL';

/**
 * The source of events of any of these types, by an index: a page of each type. Types are found by
 * skipping from one to the next. They are not those this release knows: a newer release beside it may
 * record others, and a reader that passes over an event never returns to it.
 * @param where all other conditions; receives the parameters
 * @param page the order and the limit
 */
export function eventsOfTypes(where: Conditions, types: readonly string[], page: string): string {
  const conditions = where.sql();
  return `(
    WITH RECURSIVE kind AS (
      (SELECT type FROM event WHERE ${ofFeed} ORDER BY type LIMIT 1)
      UNION ALL
      SELECT (SELECT e.type FROM event e WHERE ${ofFeed} AND e.type > kind.type
        ORDER BY e.type LIMIT 1)
      FROM kind WHERE kind.type IS NOT NULL
    )
    SELECT event.* FROM kind CROSS JOIN LATERAL (
      SELECT * FROM event WHERE ${conditions} AND type = kind.type ${page}) event
    WHERE kind.type ~ ANY(${where.bind(types.map(patternExpression))})) event`;
}
