import type { Conditions } from '../../db/conditions.ts';
import { prepared, type Tx } from '../../db/transaction.ts';

/**
 * Events that are not published are found through `unpublished_stretch`: a row for each stretch of a
 * project's domain feed that may hold some. No index says which events these are, so publishing one
 * changes no index. Triggers on the counters add stretches; those in which all are published are
 * removed now and then, and until then cost who reads them a look. What is published stays so.
 */

/** How many sequences make a stretch: as many as migration 43 says. */
const stretchLength = 64;
/** How many stretches one round looks at. */
const roundLength = 1_000;

/**
 * What takes the place of the table `event` where only the unpublished of a project's domain feed are
 * wanted: they come in the order of their stretches, so that a page costs what it holds.
 * @param where gets the parameters of it
 * @param range the sequences that are wanted
 */
export function unpublishedEvents(
  where: Conditions,
  projectId: string,
  range: { from?: number | undefined; to?: number | undefined },
): string {
  const project = where.bind(projectId);
  const bounds = [
    range.from === undefined ? '' : `AND stretch >= ${where.bind(stretchOf(range.from))}`,
    range.to === undefined ? '' : `AND stretch <= ${where.bind(stretchOf(range.to))}`,
  ].join(' ');
  // OFFSET 0 keeps the planner from beginning with the events.
  return `(SELECT stretch FROM unpublished_stretch WHERE project_id = ${project} ${bounds}) stretches
    CROSS JOIN LATERAL (
      SELECT * FROM event WHERE project_id = ${project} AND category = 'domain'
        AND sequence >= stretches.stretch * ${stretchLength}
        AND sequence < (stretches.stretch + 1) * ${stretchLength} AND published_at IS NULL
      OFFSET 0) event`;
}

function stretchOf(sequence: number): number {
  return Math.floor(Math.max(0, sequence) / stretchLength);
}

/** Where a round of forgetting goes on: a stretch of a project. */
export interface StretchPlace {
  projectId: string;
  stretch: number;
}

/**
 * Forgets stretches whose events are all numbered and published. One process at a time does so.
 * @param after looks at those behind it, a round's worth; null begins
 * @returns how many were forgotten, and where the next round goes on; null when this was the last
 */
export async function forgetStretches(
  tx: Tx,
  after: StretchPlace | null,
): Promise<{ forgotten: number; next: StretchPlace | null }> {
  const rows = await prepared<StretchPlace & { gone: boolean }>(
    tx,
    `WITH seen AS MATERIALIZED (
       SELECT s.project_id, s.stretch FROM unpublished_stretch s
       WHERE (s.project_id, s.stretch) > ($1, $2::bigint)
         AND (SELECT pg_try_advisory_xact_lock(hashtext('forget stretches')))
       ORDER BY s.project_id, s.stretch LIMIT ${roundLength}
     ), gone AS (
       DELETE FROM unpublished_stretch s USING seen
       WHERE s.project_id = seen.project_id AND s.stretch = seen.stretch
         -- The last one of a feed gets more events.
         AND seen.stretch < (SELECT c.last / ${stretchLength} FROM sequence_counter c
           WHERE c.project_id = seen.project_id AND c.category = 'domain')
         AND NOT EXISTS (
           SELECT FROM event e WHERE e.project_id = seen.project_id AND e.category = 'domain'
             AND e.sequence >= seen.stretch * ${stretchLength}
             AND e.sequence < (seen.stretch + 1) * ${stretchLength} AND e.published_at IS NULL
           OFFSET 0)
       RETURNING s.project_id, s.stretch
     )
     SELECT seen.project_id AS "projectId", seen.stretch, gone.stretch IS NOT NULL AS gone
     FROM seen LEFT JOIN gone USING (project_id, stretch) ORDER BY 1, 2`,
    [after?.projectId ?? '', after?.stretch ?? 0],
  );
  const last = rows.length < roundLength ? null : rows.at(-1)!;
  return {
    forgotten: rows.filter(({ gone }) => gone).length,
    next: last && { projectId: last.projectId, stretch: last.stretch },
  };
}
