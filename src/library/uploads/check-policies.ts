import type { Origin } from '@scriptorium/contracts/origin';
import type { Trait } from '@scriptorium/contracts/rules';
import type { Tx } from '../../db/transaction.ts';
import { PolicyDenied, recordDenial } from '../../policies/denials.ts';
import { decideUpload, type UploadFacts, uploadDenial } from '../../policies/enforce.ts';
import { declaredType } from '../files/declared-type.ts';

/** The known facts of a file that is being uploaded. */
export interface IncomingFile {
  /**
   * `announced`: before any byte, by the client's declaration. `begun`: after its first bytes. The
   * whole file is checked when its object is created.
   */
  stage: 'announced' | 'begun';
  projectId: string;
  filename: string;
  /** The size of the complete file. */
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
 * Applies the project's policies to a file that is being uploaded; null if they allow it so far. Until
 * the object exists, policies on the action `upload` are applied to resumable uploads only here.
 * @throws PolicyDenied (403) for a file that is denied when it is announced, of which nothing is stored
 */
export async function checkUploadPolicies(
  tx: Tx,
  origin: Origin,
  file: IncomingFile,
): Promise<Rejection | null> {
  const upload = {
    objectId: null,
    facts: factsOf(file),
    file: { filename: file.filename, sha256: null },
  };
  const decision = await decideUpload(tx, origin, upload);
  if (decision.decision !== 'deny') return null;
  // Violations that are only observed were recorded during the check, in a transaction that
  // commits.
  const denial = uploadDenial(upload, decision);
  const denied = new PolicyDenied(
    file.stage === 'announced' ? denial : { ...denial, observed: [] },
  );
  if (file.stage === 'announced') throw denied;
  return rejectionOf(tx, origin, denied);
}

/** Records a denial; returns the rejection to store with the upload. */
export async function rejectionOf(
  tx: Tx,
  origin: Origin,
  denied: PolicyDenied,
): Promise<Rejection> {
  await recordDenial(tx, origin, 'denied', denied.denial);
  return { code: denied.code, detail: denied.message, ...denied.extra };
}

function factsOf({ stage, bytes, tags, mime, traits }: IncomingFile): UploadFacts {
  const knownMime = stage === 'announced' ? declaredType(mime) : mime;
  return {
    bytes,
    tags,
    ...(knownMime == null ? {} : { mime: knownMime }),
    ...(traits && { traits }),
  };
}
