import type { Origin } from '../../contracts/origin.ts';
import type { ObjectRecord } from '../../contracts/wire/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/** What an object is taken for, the likeliest first. */
export type Labels = ObjectRecord['labels'];

/** Beside the first label policies go by those with at least this score (migration 24). */
export const labelCounts = 0.2;

/**
 * Writes down what an object was classified as. What counts was told by all of the object, as it was
 * read by means that no client chooses: policies go by it from then on, and it takes the place of what
 * was there. Anything else (some pages failed or were not asked for, options of `ocr` may have spoilt
 * the reading, little could be read, a redaction left it over) is shown where there is nothing yet, and
 * counts for no policy: or labels could be shed by looking at an empty page. Labels that are the same
 * change nothing.
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
