import type { Origin } from '@scriptorium/contracts/origin';
import { notAvailable } from '@scriptorium/contracts/problems';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/library/stored-object.ts';
import { enforce } from '../../../policies/enforce.ts';
import { deleteObject } from './delete-object.ts';

/**
 * Purges a locked object at once, in the trash or not; with `outputs` also the outputs of jobs on
 * it, and their outputs in turn. All or nothing.
 * @throws Problem 403 if a policy retains one of them, 409 `state_conflict` for one that is being
 *   inspected
 */
export async function purgeNow(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  { outputs }: { outputs: boolean },
): Promise<void> {
  if (object.state === 'processing') throw notAvailable('object', object);
  const outputIds = outputs ? await lockOutputs(tx, object) : [];
  // An output is newer than its source, so the newest are purged first.
  const ids = [...outputIds.reverse(), object.id];
  lockImages(tx, object.projectId, ids);
  for (const id of ids) await enforce(tx, origin, { action: 'delete', objectId: id });
  for (const id of ids) await deleteObject(tx, origin, id);
}

/** Locks the images of locked objects. */
export function lockImages(tx: Tx, projectId: string, objectIds: readonly string[]): void {
  send(
    tx,
    `SELECT count(*) FROM (SELECT FROM image WHERE project_id = $1 AND object_id = ANY($2)
       ORDER BY id FOR UPDATE) locked`,
    [projectId, objectIds],
  );
}

async function lockOutputs(tx: Tx, object: StoredObject): Promise<string[]> {
  const rows = await prepared<{ id: string }>(
    tx,
    `WITH RECURSIVE made AS (
       SELECT id FROM object WHERE project_id = $1 AND derived_from = $2
       UNION SELECT o.id FROM object o JOIN made ON o.derived_from = made.id WHERE o.project_id = $1)
     SELECT id FROM object WHERE project_id = $1 AND id IN (SELECT id FROM made)
     ORDER BY id FOR UPDATE`,
    [object.projectId, object.id],
  );
  return rows.map(({ id }) => id);
}
