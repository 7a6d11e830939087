import type { Origin } from '@scriptorium/contracts/origin';
import { type VariantName, variantFields, variantNames } from '@scriptorium/contracts/variants';
import type { Decision } from '@scriptorium/contracts/wire/policy-decisions';
import type { Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import type { Signing } from '../../policies/decision/fact-table.ts';
import { enforceOrRedact } from './enforce-or-redact.ts';

/** The content that a download delivers. */
export interface DownloadContent {
  /** The requested object, or its redaction. */
  object: StoredObject;
  /** The variant that is delivered instead of the object's own bytes, or null. */
  strip: VariantName | null;
}

/**
 * Chooses the content that policies let a download of an object deliver; nothing else may be sent.
 * @throws PolicyDenied (403)
 */
export async function chooseDelivery(
  tx: Tx,
  origin: Origin,
  object: StoredObject,
  signing: Signing = { signed: false },
): Promise<DownloadContent> {
  const attempt = { action: 'download', signing } as const;
  const chosen = await enforceOrRedact(tx, origin, object, attempt);
  return { object: chosen.object, strip: variantOf(chosen.decision) };
}

/** The variant that removes the most: `all` includes the others. */
function variantOf({ obligations }: Decision): VariantName | null {
  const fields = obligations.flatMap((one) => (one.type === 'strip_metadata' ? one.fields : []));
  if (fields.length === 0) return null;
  const strongest = fields.includes('all') ? 'all' : 'gps';
  return variantNames.find((name) => variantFields[name] === strongest) ?? 'strip:all';
}
