import type { Origin } from '../../../contracts/origin.ts';
import { notAvailable } from '../../../contracts/problems.ts';
import { prepared, send, type Tx } from '../../../db/transaction.ts';
import type { StoredObject } from '../../../entities/stored-object.ts';
import { enforce } from '../../../policies/enforce.ts';
import { endObject } from './end.ts';

/**
 * Ends an object, which is locked, at once, in the trash or not; with `outputs` also what jobs made
 * from it, and what was made from that. All of it, or nothing.
 * @throws Problem 403 where a policy keeps one of them, 409 `state_conflict` for one that is being
 * looked at
 */
export async function purgeNow(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  { outputs }: { outputs: boolean },
): Promise<void> {
  if (object.state === 'processing') throw notAvailable('object', object);
  const made = outputs ? await lockOutputs(tx, object) : [];
  // An output is younger than what it was made from: the last of a line ends first.
  const all = [...made.reverse(), object.id];
  lockImages(tx, object.projectId, all);
  for (const id of all) await enforce(tx, origin, { action: 'delete', objectId: id });
  for (const id of all) await endObject(tx, origin, id);
}

/** Locks the images of objects, which are locked. */
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
