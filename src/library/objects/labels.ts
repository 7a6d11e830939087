import type { Origin } from '../../contracts/origin.ts';
import type { ObjectRecord } from '../../contracts/wire/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/** What an object is taken for, the likeliest first. */
export type Labels = ObjectRecord['labels'];

/** Beside the first label policies go by those with at least this score (migration 24). */
export const labelCounts = 0.2;

/**
 * Writes down what an object was classified as: policies go by it from then on. What was told by all
 * of the object takes the place of what was there; what was told by a part of it, some pages having
 * failed or not been asked for, or by what a redaction left over, only of nothing: or labels could be
 * shed by looking at an empty page. Labels that are the same change nothing.
 */
export async function labelObject(
  tx: Tx,
  origin: Origin,
  objectId: string,
  { labels, ofAll }: { labels: Labels; ofAll: boolean },
): Promise<void> {
  const changed = await prepared<{ id: string }>(
    tx,
    `UPDATE object SET labels = $3, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND labels <> $3 AND ($4 OR labels = '[]')
     RETURNING id`,
    [origin.projectId, objectId, JSON.stringify(labels), ofAll],
  );
  if (changed.length === 0) return;
  await record(tx, origin, {
    type: 'dam.object.updated',
    resourceId: objectId,
    data: { changed: ['labels'] },
  });
}
