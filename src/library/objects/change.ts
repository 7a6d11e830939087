import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, notAvailable, validationFailed } from '@scriptorium/contracts/problems';
import type { ObjectPatch } from '@scriptorium/contracts/wire/library/objects';
import { commitWith, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { cleanFilename } from '../files/filename.ts';
import { changeDetails, type NewDetails, type ObjectWithPair } from '../pair.ts';
import { applyPatch, cleanPatch } from '../patch.ts';
import { findObject } from './load.ts';

/**
 * Changes the details of a locked object, and therefore of its image. A patch that changes nothing
 * keeps the version and records nothing.
 * @throws Problem 422 for invalid values, 409 for an object in the trash
 */
export async function changeObject(
  tx: Tx,
  origin: Origin,
  { object, pair }: ObjectWithPair,
  patch: ObjectPatch,
): Promise<StoredObject> {
  const { filename, ...details } = patch;
  const cleaned = cleanPatch(details, '');
  const applied = applyPatch(pair, cleaned.patch, '');
  const newDetails: NewDetails = applied.newDetails;
  const faults: Fault[] = [...cleaned.faults, ...applied.faults];
  if (filename !== undefined) {
    newDetails.filename = cleanFilename(filename, '');
    if (newDetails.filename === '') {
      const detail = 'It must contain characters that are allowed in file names.';
      faults.push({ pointer: '/filename', code: 'wrong_format', detail });
    }
  }
  if (faults.length > 0) throw validationFailed(faults);
  if (object.state === 'trashed') throw notAvailable('object', object);
  const [outcome] = await changeDetails(tx, origin, [{ pair, wanted: newDetails }]);
  if (!outcome!.changed) return object;
  const updated = await commitWith(tx, () => findObject(tx, object.projectId, object.id));
  return updated!;
}
