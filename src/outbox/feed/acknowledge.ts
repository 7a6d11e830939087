import { Problem } from '../../contracts/problems.ts';
import { Conditions } from '../../db/statements/conditions.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { readBounds } from './bounds.ts';
import { type FeedFilters, feedConditions } from './filters.ts';
import { unpublishedEvents } from './unpublished.ts';

/** What a client confirms: these events, or all domain events up to a sequence. */
type Acknowledgement = { eventIds: readonly string[] } | { upToSequence: number };

/**
 * Marks events as published because a client confirms them. Events that were published already stay
 * as they are; deliveries continue; no event is recorded.
 * @returns how many events this published
 * @throws Problem 422 for identifiers that do not exist (each with its pointer), or for a sequence
 *   that has not been assigned yet
 */
export async function acknowledge(
  tx: Tx,
  projectId: string,
  which: Acknowledgement,
): Promise<number> {
  return 'eventIds' in which
    ? acknowledgeEvents(tx, projectId, which.eventIds)
    : acknowledgeUpTo(tx, projectId, which.upToSequence);
}

async function acknowledgeEvents(
  tx: Tx,
  projectId: string,
  eventIds: readonly string[],
): Promise<number> {
  // In the order in which deliveries lock events, to avoid deadlocks.
  const found = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM event WHERE project_id = $1 AND id = ANY($2) AND sequence IS NOT NULL
     ORDER BY id FOR UPDATE`,
    [projectId, eventIds],
  );
  const known = new Set(found.map(({ id }) => id));
  const missing = eventIds.flatMap((id, at) => (known.has(id) ? [] : [{ id, at }]));
  if (missing.length > 0) {
    const detail =
      missing.length === 1
        ? `'${missing[0]!.id}' does not exist.`
        : `${missing.length} of the events do not exist.`;
    throw new Problem('reference_not_found', detail, {
      errors: missing.slice(0, 100).map(({ id, at }) => ({
        pointer: `/event_ids/${at}`,
        code: 'reference_not_found',
        detail: `'${id}' does not exist.`,
      })),
    });
  }
  const changed = await prepared<{ id: string }>(
    tx,
    `UPDATE event SET published_at = now()
     WHERE project_id = $1 AND id = ANY($2) AND published_at IS NULL RETURNING id`,
    [projectId, eventIds],
  );
  return changed.length;
}

async function acknowledgeUpTo(tx: Tx, projectId: string, sequence: number): Promise<number> {
  const { latest } = await readBounds(tx, projectId, 'domain');
  if (sequence > latest) {
    const detail = `\`up_to_sequence\` must be at most ${latest}, the sequence of the newest event.`;
    throw new Problem('validation_failed', detail, {
      errors: [{ pointer: '/up_to_sequence', code: 'too_large', detail }],
    });
  }
  const where = new Conditions();
  const from = unpublishedEvents(where, projectId, { to: sequence });
  where.add('sequence <= ?', sequence);
  const [row] = await query<{ n: number }>(
    tx,
    `WITH found AS MATERIALIZED (
       SELECT id FROM ${from} WHERE ${where.sql()}
     ), locked AS (
       SELECT event.id FROM event JOIN found ON event.id = found.id
       WHERE event.published_at IS NULL ORDER BY event.id FOR UPDATE OF event
     ), changed AS (
       UPDATE event SET published_at = now() FROM locked WHERE event.id = locked.id RETURNING event.id
     )
     SELECT count(*) AS n FROM changed`,
    where.values,
  );
  return row!.n;
}

/**
 * Marks as published the events in a range of sequences that match a reader's filters.
 * @returns how many events this published
 */
export async function acknowledgeRange(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  range: { after: number; until: number },
): Promise<number> {
  const where = feedConditions(projectId, { ...filters, published: false });
  where.add('sequence > ? AND sequence <= ?', range.after, range.until);
  const [row] = await query<{ n: number }>(
    tx,
    `WITH locked AS (
       SELECT id FROM event WHERE ${where.sql()} ORDER BY id FOR UPDATE
     ), changed AS (
       UPDATE event SET published_at = now() FROM locked WHERE event.id = locked.id RETURNING event.id
     )
     SELECT count(*) AS n FROM changed`,
    where.values,
  );
  return row!.n;
}
