import { isDeepStrictEqual } from 'node:util';
import type { Origin } from '../../contracts/origin.ts';
import { type Fault, invalid, Problem } from '../../contracts/problems.ts';
import type { ObjectPatch } from '../../contracts/wire/objects.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { record } from '../../outbox/record.ts';
import { holdObjects, lockScopes } from '../../policies/holds.ts';
import { checkMetadata, cleanTags, mergePatch } from '../details.ts';
import { cleanFilename } from '../files/filename.ts';
import { objectColumns } from './load.ts';

/**
 * Changes what people say about an object, which is locked. A patch that changes nothing leaves the
 * version alone and records nothing.
 * @throws Problem 422 for what cannot be kept, 409 for an object in the trash
 */
export async function changeObject(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  patch: ObjectPatch,
): Promise<StoredObject> {
  const wanted = applyPatch(object, patch);
  if (object.state === 'trashed') {
    throw new Problem(
      'state_conflict',
      `The object '${object.id}' is in the trash. Restore it first.`,
    );
  }
  const changed = (['filename', 'tags', 'metadata'] as const).filter(
    (field) => !isDeepStrictEqual(object[field], wanted[field]),
  );
  if (changed.length === 0) return object;
  const retagged = changed.includes('tags');
  if (retagged) await lockScopes(tx, object.projectId, 'shared');
  const [after] = await prepared<StoredObject>(
    tx,
    `UPDATE object SET filename = $3, tags = $4, metadata = $5, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2 RETURNING ${objectColumns}`,
    [object.projectId, object.id, wanted.filename, wanted.tags, JSON.stringify(wanted.metadata)],
  );
  if (retagged) await holdObjects(tx, object.projectId, [object.id]);
  await record(tx, origin, {
    type: 'dam.object.updated',
    resourceId: object.id,
    data: { changed },
  });
  return after!;
}

function applyPatch(
  object: StoredObject,
  patch: ObjectPatch,
): Pick<StoredObject, 'filename' | 'tags' | 'metadata'> {
  const faults: Fault[] = [];
  const wanted = { filename: object.filename, tags: object.tags, metadata: object.metadata };
  if (patch.filename !== undefined) {
    wanted.filename = cleanFilename(patch.filename, '');
    if (wanted.filename === '') {
      const detail = 'Nothing is left of this name once it is safe to store.';
      faults.push({ pointer: '/filename', code: 'wrong_format', detail });
    }
  }
  if (patch.tags !== undefined) {
    const cleaned = cleanTags(patch.tags ?? []);
    wanted.tags = cleaned.tags;
    faults.push(...cleaned.faults);
  }
  if (patch.metadata !== undefined) {
    wanted.metadata = patch.metadata === null ? {} : mergePatch(object.metadata, patch.metadata);
    faults.push(...checkMetadata(wanted.metadata));
  }
  if (faults.length > 0) throw invalid(faults);
  return wanted;
}
