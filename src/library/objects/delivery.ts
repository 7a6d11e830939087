import type { Origin } from '../../contracts/origin.ts';
import type { StrippableField } from '../../contracts/rules.ts';
import type { Decision } from '../../contracts/wire/policies.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/stored-object.ts';
import { enforce } from '../../policies/enforce.ts';
import type { Signing } from '../../policies/fact-table.ts';
import { findObject } from './load.ts';

/** What is delivered in answer to a download. */
export interface Delivery {
  /** The object that was asked for, or its redaction. */
  object: StoredObject;
  /** What its metadata must not hold; empty where it is delivered as it is. */
  strip: readonly StrippableField[];
}

/**
 * Chooses what a download of an object delivers, as the policies say; nothing else may be sent.
 * @throws PolicyDenied (403)
 */
export async function chooseDelivery(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  signing: Signing = { signed: false },
): Promise<Delivery> {
  const ask = (objectId: string) => enforce(tx, origin, { action: 'download', objectId, signing });
  const decision = await ask(object.id);
  const redaction = decision.obligations.find(({ type }) => type === 'serve_redacted');
  if (redaction?.type !== 'serve_redacted') return { object, strip: fieldsOf(decision) };
  const output = await findObject(tx, object.projectId, redaction.object_id);
  if (!output) throw new Error(`The redaction '${redaction.object_id}' is gone.`);
  // The redaction is an object of its own, and has to pass for itself.
  return { object: output, strip: fieldsOf(await ask(output.id)) };
}

function fieldsOf({ obligations }: Decision): readonly StrippableField[] {
  return obligations.flatMap((one) => (one.type === 'strip_metadata' ? one.fields : []));
}
