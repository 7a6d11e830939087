import type { Origin } from '../../contracts/origin.ts';
import type { ObjectRecord } from '../../contracts/wire/library/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/** The labels of an object, the likeliest first. */
export type Labels = ObjectRecord['labels'];

/** Besides the first label, policies consider those with at least this score (migration 24). */
export const labelCounts = 0.2;

/**
 * Stores the labels of an object. Labels from a complete reading, made with the service's own
 * options, are used by policies and replace former ones. Other labels (some pages failed or were
 * not selected, options of `ocr` may have spoilt the reading, little text was recognised, or a
 * redaction came first) are shown if the object has none yet, but never used by policies. Otherwise
 * a client could shed a label by classifying an empty page. Unchanged labels change nothing.
 */
export async function labelObject(
  tx: Tx,
  origin: Origin,
  objectId: string,
  { labels, counts }: { labels: Labels; counts: boolean },
): Promise<void> {
  const changed = await prepared<{ id: string }>(
    tx,
    `UPDATE object SET labels = $3, labels_partial = NOT $4, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND ($4 OR labels = '[]')
       AND (labels <> $3 OR labels_partial AND $4)
     RETURNING id`,
    [origin.projectId, objectId, JSON.stringify(labels), counts],
  );
  if (changed.length === 0) return;
  await record(tx, origin, {
    type: 'dam.object.updated',
    resourceId: objectId,
    data: { changed: ['labels'] },
  });
}
