import { systemOrigin } from '@scriptorium/contracts/origin';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Erasure } from '../../entities/erasure/erasure.ts';
import { deleteObject, deletePageResults } from '../../library/objects/ending/delete-object.ts';
import { lockImages } from '../../library/objects/ending/purge-now.ts';
import { decideDeletion } from '../../policies/enforce.ts';
import { lockScopes } from '../../policies/facts/holds.ts';

/** The number of objects of one transaction. */
const batchSize = 25;

/**
 * Erases the next found objects, newest first, or records what keeps them.
 * @returns whether there may be more
 */
export async function eraseObjects(tx: Tx, erasure: Erasure): Promise<boolean> {
  const { projectId, id: erasureId, objects } = erasure;
  const origin = systemOrigin(projectId);
  const rows = await prepared<{ id: string }>(
    tx,
    `SELECT resource_id AS id FROM erasure_resource
     WHERE project_id = $1 AND erasure_id = $2 AND resource_type = 'object' AND state = 'found'
     ORDER BY resource_id DESC LIMIT ${batchSize}`,
    [projectId, erasureId],
  );
  const ids = rows.map(({ id }) => id);
  const locked = await prepared<{ id: string }>(
    tx,
    'SELECT id FROM object WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR UPDATE',
    [projectId, ids],
  );
  lockImages(tx, projectId, ids);
  lockScopes(tx, projectId, 'shared');
  const present = new Set(locked.map(({ id }) => id));
  for (const id of ids) {
    if (!present.has(id)) {
      store(tx, erasure, id, { state: 'erased' });
      continue;
    }
    const { decision, violations } = await decideDeletion(tx, projectId, id);
    const [violation] = violations;
    if (decision === 'deny' && violation) {
      const { policy_id, rule_type } = violation;
      store(tx, erasure, id, { state: 'kept', keptBy: { policy_id, rule_type } });
    } else if (objects === 'purge') {
      const hashes = await listHashes(tx, projectId, id);
      await deleteObject(tx, origin, id);
      store(tx, erasure, id, { state: 'erased', hashes });
    } else {
      await deletePageResults(tx, projectId, id);
      for (const table of ['object_text', 'passage']) {
        send(tx, `DELETE FROM ${table} WHERE project_id = $1 AND object_id = $2`, [projectId, id]);
      }
      store(tx, erasure, id, { state: 'erased' });
    }
  }
  return ids.length === batchSize;
}

function store(
  tx: Tx,
  { projectId, id: erasureId }: Erasure,
  objectId: string,
  {
    state,
    keptBy = null,
    hashes = [],
  }: { state: string; keptBy?: object | null; hashes?: readonly string[] },
): void {
  send(
    tx,
    `UPDATE erasure_resource SET state = $4, kept_by = $5, hashes = $6
     WHERE project_id = $1 AND erasure_id = $2 AND resource_type = 'object' AND resource_id = $3`,
    [projectId, erasureId, objectId, state, keptBy && JSON.stringify(keptBy), hashes],
  );
}

/** The hashes of the bytes of an object, its renditions and its variants. */
async function listHashes(tx: Tx, projectId: string, objectId: string): Promise<string[]> {
  const rows = await prepared<{ sha256: string }>(
    tx,
    `SELECT sha256 FROM object WHERE project_id = $1 AND id = $2
     UNION SELECT sha256 FROM object_variant
       WHERE project_id = $1 AND object_id = $2 AND sha256 IS NOT NULL
     UNION SELECT r.sha256 FROM rendition r JOIN image i ON i.project_id = $1 AND i.id = r.image_id
       WHERE r.project_id = $1 AND i.object_id = $2`,
    [projectId, objectId],
  );
  return rows.map(({ sha256 }) => sha256);
}
