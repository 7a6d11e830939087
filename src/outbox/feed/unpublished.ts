import type { Conditions } from '../../db/statements/conditions.ts';
import { prepared, type Tx } from '../../db/transaction.ts';

/**
 * Unpublished events are found through `unpublished_stretch`, which has a row for each stretch of a
 * project's domain feed that may contain some. No index contains `published_at`, so publishing an event
 * changes no index. Triggers on the counters add stretches; a loop removes those in which everything is
 * published, and until then each costs readers a lookup. Published events stay published.
 */

/** Number of sequences in a stretch, as in the triggers on the counters. */
const stretchLength = 64;
/** Maximum number of stretches that one round reads. */
const stretchesPerRound = 1_000;

/**
 * A source that replaces the table `event` and contains only the unpublished events of a project's
 * domain feed, in the order of their stretches, so that a page costs no more than its events.
 * @param where receives the parameters
 * @param range the sequences to read
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
  // OFFSET 0 keeps the planner from starting with the events.
  return `(SELECT stretch FROM unpublished_stretch WHERE project_id = ${project} ${bounds}) stretches
    CROSS JOIN LATERAL (
      SELECT * FROM event WHERE project_id = ${project} AND category = 'domain'
        AND sequence >= stretches.stretch * ${stretchLength}
        AND sequence < (stretches.stretch + 1) * ${stretchLength} AND published_at IS NULL
      OFFSET 0) event`;
}

/** Number of stretches in a batch of unpublished events: about five thousand events. */
const stretchesPerBatch = 80;

/**
 * The sequence at which the first stretches in a range end that may contain unpublished events; null
 * without any.
 */
export async function endOfStretches(
  tx: Tx,
  projectId: string,
  range: { from: number; to: number },
): Promise<number | null> {
  const [row] = await prepared<{ last: number | null }>(
    tx,
    `SELECT max(stretch) AS last FROM (
       SELECT stretch FROM unpublished_stretch
       WHERE project_id = $1 AND stretch BETWEEN $2 AND $3
       ORDER BY stretch LIMIT ${stretchesPerBatch}) first`,
    [projectId, stretchOf(range.from), stretchOf(range.to)],
  );
  if (row!.last === null) return null;
  return Math.min(range.to, (row!.last + 1) * stretchLength - 1);
}

function stretchOf(sequence: number): number {
  return Math.floor(Math.max(0, sequence) / stretchLength);
}

/** Where a round continues: a stretch of a project. */
export interface StretchPosition {
  projectId: string;
  stretch: number;
}

/**
 * Removes stretches whose events are all numbered and published. One process at a time does this.
 * @param after reads the stretches after this one; null starts from the beginning
 * @returns how many were removed, and where the next round continues; null after the last
 */
export async function removePublishedStretches(
  tx: Tx,
  after: StretchPosition | null,
): Promise<{ forgotten: number; next: StretchPosition | null }> {
  const rows = await prepared<StretchPosition & { gone: boolean }>(
    tx,
    `WITH seen AS MATERIALIZED (
       SELECT s.project_id, s.stretch FROM unpublished_stretch s
       WHERE (s.project_id, s.stretch) > ($1, $2::bigint)
         AND (SELECT pg_try_advisory_xact_lock(hashtext('forget stretches')))
       ORDER BY s.project_id, s.stretch LIMIT ${stretchesPerRound}
     ), gone AS (
       DELETE FROM unpublished_stretch s USING seen
       WHERE s.project_id = seen.project_id AND s.stretch = seen.stretch
         -- The last stretch of a feed will get more events.
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
  const last = rows.length < stretchesPerRound ? null : rows.at(-1)!;
  return {
    forgotten: rows.filter(({ gone }) => gone).length,
    next: last && { projectId: last.projectId, stretch: last.stretch },
  };
}
