import type { Origin } from '@scriptorium/contracts/origin';
import type { Trait } from '@scriptorium/contracts/rules';
import type { Tx } from '../../db/transaction.ts';
import { PolicyDenied, recordDenial } from '../../policies/denials.ts';
import { askAboutUpload, type UploadFacts, uploadDenial } from '../../policies/enforce.ts';
import { declaredType } from '../files/declared.ts';

/** The known facts of a file that is being uploaded. */
export interface Arriving {
  /**
   * `announced`: before any byte, by the client's declaration. `begun`: after its first bytes. The
   * whole file is checked when its object is created.
   */
  moment: 'announced' | 'begun';
  projectId: string;
  filename: string;
  /** Its final size. */
  bytes: number;
  tags: readonly string[];
  /** Declared at first; detected from `begun` on, if the first bytes are sufficient. */
  mime?: string | null;
  /** From `begun` on, if the first bytes are sufficient. */
  traits?: readonly Trait[];
}

/** Why a file is rejected: stored with the upload and returned to the client. */
export type Rejection = Record<string, unknown>;

/**
 * Applies the project's policies to a file that is being uploaded; null if they allow it so far.
 * Policies on the action `upload` are applied to resumable uploads only here until there is an
 * object.
 * @throws PolicyDenied (403) for a file that is denied when it is announced: nothing is stored
 */
export async function judgeArrival(
  tx: Tx,
  origin: Origin,
  file: Arriving,
): Promise<Rejection | null> {
  const upload = {
    objectId: null,
    facts: factsOf(file),
    file: { filename: file.filename, sha256: null },
  };
  const judged = await askAboutUpload(tx, origin, upload);
  if (judged.decision !== 'deny') return null;
  // Violations that are only observed were recorded during the check, in a transaction that
  // commits.
  const denial = uploadDenial(upload, judged);
  const denied = new PolicyDenied(
    file.moment === 'announced' ? denial : { ...denial, observed: [] },
  );
  if (file.moment === 'announced') throw denied;
  return rejectionOf(tx, origin, denied);
}

/** The record of a rejection, stored with the upload and its event. */
export async function rejectionOf(
  tx: Tx,
  origin: Origin,
  denied: PolicyDenied,
): Promise<Rejection> {
  await recordDenial(tx, origin, 'denied', denied.denial);
  return { code: denied.code, detail: denied.message, ...denied.extra };
}

function factsOf({ moment, bytes, tags, mime, traits }: Arriving): UploadFacts {
  const known = moment === 'announced' ? declaredType(mime) : mime;
  return { bytes, tags, ...(known == null ? {} : { mime: known }), ...(traits && { traits }) };
}
