import { invalidParameter, Problem } from '@scriptorium/contracts/problems';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { EventCategory } from './filters.ts';

/** Which part of a feed to read. */
export interface FeedPage {
  /** The sequence to continue after, in reading order. Null starts at the beginning. */
  after: number | null;
  /** The last sequence to read; without it, to the end. */
  until?: number;
  order: 'asc' | 'desc';
  limit: number;
}

/** The bounds of a project's feed; `earliest` is one more than `latest` when it is empty. */
export interface FeedBounds {
  earliest: number;
  latest: number;
}

/** The current bounds of a feed. */
export async function readBounds(
  tx: Tx,
  projectId: string,
  category: EventCategory,
): Promise<FeedBounds> {
  const [row] = await prepared<{ earliest: number | null; latest: number; dropped: number }>(
    tx,
    `SELECT
       (SELECT min(sequence) FROM event
        WHERE project_id = $1 AND category = $2 AND sequence IS NOT NULL) AS earliest,
       coalesce(c.last, 0) AS latest, coalesce(c.dropped, 0) AS dropped
     FROM (SELECT) one LEFT JOIN sequence_counter c ON c.project_id = $1 AND c.category = $2`,
    [projectId, category],
  );
  const { earliest, latest, dropped } = row!;
  // Events before the last dropped one have gaps and are not read.
  return { latest, earliest: Math.max(earliest ?? latest + 1, dropped + 1) };
}

/**
 * Distinguishes an event that was dropped from one that never existed.
 * @throws Problem 410 `cursor_expired` for an identifier older than retention
 */
export async function rejectExpired(
  tx: Tx,
  projectId: string,
  category: EventCategory,
  eventId: string,
): Promise<void> {
  const { earliest } = await readBounds(tx, projectId, category);
  const [first] = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE project_id = $1 AND category = $2 AND sequence IS NOT NULL
     ORDER BY sequence LIMIT 1`,
    [projectId, category],
  );
  // Only a feed whose start was dropped can have lost an event. Identifiers sort by time.
  if (earliest > 1 && (!first || eventId < first.id)) throw cursorExpired(earliest);
}

/**
 * Rejects a range outside of the feed.
 * @throws Problem 410 `cursor_expired` when some of it is no longer retained, 400 for a sequence
 *   that has not been assigned yet
 */
export function rejectOutsideBounds(
  page: Pick<FeedPage, 'after' | 'until' | 'order'>,
  bounds: FeedBounds,
): void {
  const { after, until, order } = page;
  if (order === 'asc' && after !== null) {
    if (after > bounds.latest) {
      throw unknownPosition(`The newest event has the sequence ${bounds.latest}.`);
    }
    if (after < bounds.earliest - 1) throw cursorExpired(bounds.earliest);
  }
  if (order === 'desc' && until !== undefined && until < bounds.earliest) {
    throw cursorExpired(bounds.earliest);
  }
}

/** The problem for a reader whose events are no longer retained; `advice` says how to continue. */
export function cursorExpired(
  earliest: number,
  advice = `continue with after=${earliest - 1} without the missing events`,
): Problem {
  const detail = `Events before sequence ${earliest} are no longer retained; ${advice}.`;
  return new Problem('cursor_expired', detail, { extra: { earliest_sequence: earliest } });
}

export function unknownPosition(detail: string): Problem {
  return invalidParameter({ parameter: 'after', code: 'unknown_position', detail });
}
