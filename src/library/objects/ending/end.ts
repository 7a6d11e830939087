import type { Origin } from '../../../contracts/origin.ts';
import { prepared, type Tx } from '../../../db/transaction.ts';
import { record } from '../../../outbox/record.ts';
import { bequeath } from '../../../policies/facts/inheritance.ts';
import { endMemberships } from '../../collections/membership.ts';
import { imageOf } from '../../images/load.ts';

/**
 * Ends an object, which is locked: its row, its image with what was made to show it, and what jobs
 * kept of its pages. What was made from it stays, and is named in the event. Its bytes go with the
 * next sweep, unless another row points at them.
 */
export async function endObject(tx: Tx, origin: Origin, objectId: string): Promise<void> {
  const { projectId } = origin;
  const key = [projectId, objectId];
  const outputs = await prepared<{ id: string }>(
    tx,
    'SELECT id FROM object WHERE project_id = $1 AND derived_from = $2 ORDER BY id',
    key,
  );
  await prepared(
    tx,
    `UPDATE job_page SET text = NULL, words = NULL, result = NULL
     FROM job WHERE job.project_id = $1 AND job.source_object_id = $2
       AND job_page.project_id = job.project_id AND job_page.job_id = job.id`,
    key,
  );
  await bequeath(
    tx,
    projectId,
    objectId,
    outputs.map(({ id }) => id),
  );
  const imageId = await imageOf(tx, projectId, objectId);
  await endMemberships(tx, origin, objectId);
  await prepared(tx, 'DELETE FROM object WHERE project_id = $1 AND id = $2', key);
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
