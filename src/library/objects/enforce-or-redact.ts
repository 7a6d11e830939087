import type { Origin } from '@scriptorium/contracts/origin';
import type { Decision } from '@scriptorium/contracts/wire/policy-decisions';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { enforce, type ObjectAction, redactionIn } from '../../policies/enforce.ts';
import { findObject } from './load.ts';

/**
 * Enforces an action on an object, or on the redaction that policies allow in its place.
 * @returns the object that the action is allowed on, and the decision about it; all other work for
 *   the request must use this object
 * @throws PolicyDenied (403)
 */
export async function enforceOrRedact(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  attempt: Omit<ObjectAction, 'objectId'>,
): Promise<{ object: StoredObject; decision: Decision }> {
  let chosen = object;
  for (;;) {
    const decision = await enforce(tx, origin, { ...attempt, objectId: chosen.id });
    const redaction = redactionIn(decision);
    if (!redaction) return { object: chosen, decision };
    const output = await findObject(tx, object.projectId, redaction);
    if (!output) throw new Error(`The redaction '${redaction}' does not exist.`);
    // The redaction is a separate object, which must also pass the policies or have a redaction. The loop
    // ends, because each redaction was made from the previous object.
    chosen = output;
  }
}
