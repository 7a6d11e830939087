import { trashSeconds } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { prepared, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { enforce } from '../../../policies/enforce.ts';
import { hideMemberships, showMemberships } from '../../collections/membership.ts';
import { findImageId } from '../../images/load.ts';
import { objectColumns, requireAvailable } from '../load.ts';
import { deleteObject } from './delete-object.ts';

/**
 * Moves a locked object and its image to the trash and schedules their purge. An object that is
 * already there keeps its expiry. A rejected or failed object is purged at once.
 * @throws Problem 403 if a policy retains it, 409 `state_conflict` for one that is being inspected
 */
export async function trashObject(tx: Tx, origin: Origin, object: StoredObject): Promise<void> {
  if (object.state === 'trashed') return;
  await enforce(tx, origin, { action: 'delete', objectId: object.id });
  if (object.state === 'rejected' || object.state === 'failed') {
    return deleteObject(tx, origin, object.id);
  }
  requireAvailable(object);
  await prepared(
    tx,
    `UPDATE object SET state = 'trashed', trashed_at = now(), updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [object.projectId, object.id],
  );
  hideMemberships(tx, object.projectId, object.id);
  await recordOfPair(tx, origin, object, 'trashed');
  // A restore does not remove the task, which then finds the object outside the trash, or not
  // expired yet.
  await schedule(tx, object.projectId, object.id, {
    kind: 'object.purge',
    payload: { object_id: object.id },
    dueInSeconds: trashSeconds,
  });
}

/**
 * Moves the outputs of jobs on a locked object to the trash, and their outputs in turn.
 * @throws Problem 403 if a policy retains one of them
 */
export async function trashOutputs(tx: Tx, origin: Origin, object: StoredObject): Promise<void> {
  const outputs = await prepared<StoredObject>(
    tx,
    `WITH RECURSIVE made AS (
       SELECT id FROM object WHERE project_id = $1 AND derived_from = $2
       UNION SELECT o.id FROM object o JOIN made ON o.derived_from = made.id WHERE o.project_id = $1)
     SELECT ${objectColumns} FROM object
     WHERE project_id = $1 AND id IN (SELECT id FROM made) AND state = 'available'
     ORDER BY id FOR UPDATE`,
    [object.projectId, object.id],
  );
  for (const output of outputs) await trashObject(tx, origin, output);
}

/**
 * Restores a locked object and its image from the trash.
 * @throws Problem 409 `state_conflict` if it is not there
 */
export async function restoreObject(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
): Promise<StoredObject> {
  if (object.state !== 'trashed') {
    throw new Problem('state_conflict', `The object '${object.id}' is not in the trash.`);
  }
  const [restored] = await prepared<StoredObject>(
    tx,
    `UPDATE object SET state = 'available', trashed_at = NULL, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 RETURNING ${objectColumns}`,
    [object.projectId, object.id],
  );
  showMemberships(tx, object.projectId, object.id);
  await recordOfPair(tx, origin, object, 'restored');
  return restored!;
}

/** Records the same event for the image, which shares its object's state. */
async function recordOfPair(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  verb: 'trashed' | 'restored',
): Promise<void> {
  const imageId = await findImageId(tx, object.projectId, object.id);
  const data = {};
  await record(
    tx,
    origin,
    { type: `dam.object.${verb}`, resourceId: object.id, data },
    ...(imageId ? [{ type: `dam.image.${verb}`, resourceId: imageId, data } as const] : []),
  );
}
