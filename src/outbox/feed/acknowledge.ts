import { Problem } from '@scriptorium/contracts/problems';
import { planByIndex } from '../../db/statements/rows.ts';
import { type InTransaction, prepared, query, type Tx } from '../../db/transaction.ts';
import { idRange } from '../relay/number.ts';
import { readBounds } from './bounds.ts';
import { type FeedFilters, feedConditions } from './filters.ts';
import { endOfStretches, unpublishedEvents } from './unpublished.ts';

/**
 * Marks events as published because a client has acknowledged them. Events that are already published
 * do not change, deliveries continue, and no event is recorded.
 * @returns how many events this published
 * @throws Problem 422 for identifiers that do not exist, each with its pointer
 */
export async function acknowledgeEvents(
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
  const existing = new Set(found.map(({ id }) => id));
  const missing = eventIds.flatMap((id, at) => (existing.has(id) ? [] : [{ id, at }]));
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

/**
 * Marks all domain events up to a sequence as published, in batches.
 * @returns how many events this published
 * @throws Problem 422 for a sequence that has not been assigned yet
 */
export async function acknowledgeUpTo(
  inProject: InTransaction,
  projectId: string,
  sequence: number,
): Promise<number> {
  const { latest } = await inProject((tx) => readBounds(tx, projectId, 'domain'));
  if (sequence > latest) {
    const detail = `\`up_to_sequence\` must be at most ${latest}, the sequence of the newest event.`;
    throw new Problem('validation_failed', detail, {
      errors: [{ pointer: '/up_to_sequence', code: 'too_large', detail }],
    });
  }
  return acknowledgeRange(
    inProject,
    projectId,
    { category: 'domain' },
    { after: 0, until: sequence },
  );
}

/**
 * Marks as published the events in a range of sequences that match a reader's filters. Works in
 * batches, so that deliveries to webhooks and other readers do not wait for their locks.
 * @returns how many events this published
 */
export async function acknowledgeRange(
  inProject: InTransaction,
  projectId: string,
  filters: FeedFilters,
  range: { after: number; until: number },
): Promise<number> {
  let published = 0;
  // Audit events are published as they are numbered.
  if (filters.category === 'audit' || range.after >= range.until) return published;
  for (let { after } = range; ; ) {
    const batch = await inProject((tx) =>
      acknowledgeBatch(tx, projectId, filters, { ...range, after }),
    );
    if (batch === null) return published;
    published += batch.published;
    after = batch.until;
    if (after >= range.until) return published;
  }
}

/** Marks the first of the events in a range; returns null if none is left. */
async function acknowledgeBatch(
  tx: Tx,
  projectId: string,
  filters: FeedFilters,
  range: { after: number; until: number },
): Promise<{ published: number; until: number } | null> {
  const until = await endOfStretches(tx, projectId, { from: range.after + 1, to: range.until });
  if (until === null) return null;
  const where = feedConditions(projectId, { ...filters, published: false });
  where.add('sequence > ? AND sequence <= ?', range.after, until);
  const from = unpublishedEvents(where, projectId, { from: range.after + 1, to: until });
  const events = await query<{ id: string }>(
    tx,
    `SELECT id FROM ${from} WHERE ${where.sql()}`,
    where.values,
  );
  return { published: events.length === 0 ? 0 : await publish(tx, events), until };
}

/** Publishes those of the events that are not published yet. */
async function publish(tx: Tx, events: readonly { id: string }[]): Promise<number> {
  planByIndex(tx);
  const rows = await prepared<{ id: string }>(
    tx,
    // In the order in which deliveries lock events, to avoid deadlocks.
    `WITH locked AS MATERIALIZED (
       SELECT id FROM event WHERE id = ANY($1) AND id BETWEEN $2 AND $3 AND published_at IS NULL
       ORDER BY id FOR UPDATE
     )
     UPDATE event SET published_at = now()
     WHERE id = ANY(ARRAY(SELECT id FROM locked)) AND id BETWEEN $2 AND $3 RETURNING id`,
    [events.map(({ id }) => id), ...idRange(events)],
  );
  return rows.length;
}
