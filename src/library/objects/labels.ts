import type { Origin } from '../../contracts/origin.ts';
import type { ObjectRecord } from '../../contracts/wire/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { record } from '../../outbox/record.ts';

/** What an object is taken for, the likeliest first. */
export type Labels = ObjectRecord['labels'];

/**
 * Writes down what an object was classified as, in place of what it was before: policies go by it
 * from then on. Labels that are the same change nothing.
 */
export async function labelObject(
  tx: Tx,
  origin: Origin,
  objectId: string,
  labels: Labels,
): Promise<void> {
  const changed = await prepared<{ id: string }>(
    tx,
    `UPDATE object SET labels = $3, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND labels <> $3 RETURNING id`,
    [origin.projectId, objectId, JSON.stringify(labels)],
  );
  if (changed.length === 0) return;
  await record(tx, origin, {
    type: 'dam.object.updated',
    resourceId: objectId,
    data: { changed: ['labels'] },
  });
}
