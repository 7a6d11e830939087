import type { Origin } from '../../contracts/origin.ts';
import { type VariantName, variantFields, variantNames } from '../../contracts/variants.ts';
import type { Decision } from '../../contracts/wire/policy-decisions.ts';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import type { Signing } from '../../policies/decision/fact-table.ts';
import { enforce } from '../../policies/enforce.ts';
import { findObject } from './load.ts';

/** What a download delivers. */
export interface DownloadContent {
  /** The requested object, or its redaction. */
  object: StoredObject;
  /** The variant that is delivered instead of the object's own bytes, or null. */
  strip: VariantName | null;
}

/**
 * Chooses what a download of an object delivers, by the policies; nothing else may be sent.
 * @throws PolicyDenied (403)
 */
export async function chooseDelivery(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  signing: Signing = { signed: false },
): Promise<DownloadContent> {
  let chosen = object;
  for (;;) {
    const attempt = { action: 'download', objectId: chosen.id, signing } as const;
    const decision = await enforce(tx, origin, attempt);
    const redaction = decision.obligations.find(({ type }) => type === 'serve_redacted');
    if (redaction?.type !== 'serve_redacted') return { object: chosen, strip: variantOf(decision) };
    const output = await findObject(tx, object.projectId, redaction.object_id);
    if (!output) throw new Error(`The redaction '${redaction.object_id}' is gone.`);
    // The redaction is a separate object, which must pass the policies itself or have a redaction
    // as well. This ends: each one was made from the previous one.
    chosen = output;
  }
}

/** The variant that removes the most: `all` includes the rest. */
function variantOf({ obligations }: Decision): VariantName | null {
  const fields = obligations.flatMap((one) => (one.type === 'strip_metadata' ? one.fields : []));
  if (fields.length === 0) return null;
  const most = fields.includes('all') ? 'all' : 'gps';
  return variantNames.find((name) => variantFields[name] === most) ?? 'strip:all';
}
