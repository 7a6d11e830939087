import type { Origin } from '@scriptorium/contracts/origin';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { Raw } from 'typeorm';
import { nextVersion, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';

/** The labels of an object, likeliest first. */
export type Labels = ObjectRecord['labels'];

/** Policies consider the first label, and other labels with at least this score (migration 24). */
export const minPolicyLabelScore = 0.2;

/**
 * Stores the labels of an object. Labels from a complete reading with the default options are used by
 * policies and replace earlier ones. Other labels (some pages failed or were not selected, options of
 * `ocr` may have degraded the reading, little text was recognised, or a redaction came first) are shown
 * if the object has none yet, but policies do not use them: otherwise a client could remove a label by
 * classifying an empty page. Unchanged labels change nothing.
 */
export async function labelObject(
  tx: Tx,
  origin: Origin,
  objectId: string,
  { labels, counts }: { labels: Labels; counts: boolean },
): Promise<void> {
  const replaceable = Raw(
    (column) =>
      counts
        ? `(${column} <> :labels OR labels_partial)`
        : `${column} = '[]' AND ${column} <> :labels`,
    { labels: JSON.stringify(labels) },
  );
  const { affected } = await tx.update(
    StoredObject,
    { projectId: origin.projectId, id: objectId, labels: replaceable },
    { labels, labelsPartial: !counts, updatedAt: transactionTime, version: nextVersion },
  );
  if (affected === 0) return;
  await record(tx, origin, {
    type: 'dam.object.updated',
    resourceId: objectId,
    data: { changed: ['labels'] },
  });
}
