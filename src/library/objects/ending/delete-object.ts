import type { Origin } from '@scriptorium/contracts/origin';
import { sendDelete } from '../../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { copyFactsToOutputs } from '../../../policies/facts/inheritance.ts';
import { endMemberships } from '../../collections/membership.ts';
import { findImageId } from '../../images/load.ts';

/**
 * Deletes a locked object: its row, its image with its renditions and variants, and its pages'
 * stored results. Outputs made from it stay, and are listed in the event. Its bytes are removed by
 * the next sweep, unless another row references them.
 */
export async function deleteObject(tx: Tx, origin: Origin, objectId: string): Promise<void> {
  const { projectId } = origin;
  const outputs = await tx.find(StoredObject, {
    select: { id: true },
    where: { projectId, derivedFrom: objectId },
    order: { id: 'ASC' },
  });
  await deletePageResults(tx, projectId, objectId);
  await copyFactsToOutputs(
    tx,
    projectId,
    objectId,
    outputs.map(({ id }) => id),
  );
  const imageId = await findImageId(tx, projectId, objectId);
  await endMemberships(tx, origin, objectId);
  sendDelete(tx, StoredObject, { projectId, id: objectId });
  await record(
    tx,
    origin,
    {
      type: 'dam.object.purged',
      resourceId: objectId,
      data: { outputs: outputs.map(({ id }) => id) },
    },
    ...(imageId ? [{ type: 'dam.image.purged', resourceId: imageId, data: {} } as const] : []),
  );
}

/** Deletes what jobs read from an object: the results of its pages, and the values in its reviews. */
export async function deletePageResults(
  tx: Tx,
  projectId: string,
  objectId: string,
): Promise<void> {
  await prepared(
    tx,
    `UPDATE job_page SET text = NULL, words = NULL, result = NULL
     FROM job WHERE job.project_id = $1 AND job.source_object_id = $2
       AND job_page.project_id = job.project_id AND job_page.job_id = job.id`,
    [projectId, objectId],
  );
  await deleteReviewValues(tx, projectId, objectId);
}

/**
 * Deletes the personal values in reviews of an object. Open reviews are ended by their tasks, which
 * also fail the waiting jobs.
 */
async function deleteReviewValues(tx: Tx, projectId: string, objectId: string): Promise<void> {
  const openReviews = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM review WHERE project_id = $1 AND source_object_id = $2 AND state = 'open'`,
    [projectId, objectId],
  );
  for (const table of ['finding', 'review_text']) {
    send(
      tx,
      `DELETE FROM ${table} f USING review
       WHERE review.project_id = $1 AND review.source_object_id = $2
         AND f.project_id = review.project_id AND f.review_id = review.id`,
      [projectId, objectId],
    );
  }
  send(
    tx,
    'UPDATE review SET reason = NULL WHERE project_id = $1 AND source_object_id = $2 AND reason IS NOT NULL',
    [projectId, objectId],
  );
  for (const { id } of openReviews) {
    await schedule(tx, projectId, id, { kind: 'review.expire', payload: { review_id: id } });
  }
}
