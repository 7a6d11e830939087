import type { Origin } from '../../contracts/origin.ts';
import type { Tx } from '../../db/transaction.ts';
import { PolicyDenied, recordDenial } from '../../policies/denials.ts';
import { askAboutUpload, type UploadFacts, uploadDenial } from '../../policies/enforce.ts';
import { declaredType } from '../files/declared.ts';
import { sniffedTraits } from '../files/traits.ts';

/** What is known of a file on its way. */
export interface Arriving {
  /**
   * `announced` before any byte, by what the client says; `begun` when its first bytes were looked
   * at. Of the whole file the making of its object asks.
   */
  moment: 'announced' | 'begun';
  projectId: string;
  filename: string;
  /** How large it will be. */
  bytes: number;
  tags: readonly string[];
  /** Declared at first, sniffed from `begun` on. */
  mime: string | null;
  executable: boolean | null;
  /** Null until it is known of the whole file. */
  scripted: boolean | null;
}

/** Why a file is not taken: stored with the upload and shown to who sent it. */
export type Rejection = Record<string, unknown>;

/**
 * What the project's policies say of a file on its way; null when they let it pass so far. This is
 * the one place where policies of the action `upload` meet resumable uploads before there is an
 * object.
 * @throws PolicyDenied (403) for what is refused as announced, of which nothing is kept
 */
export async function judgeUpload(
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
  // What is observed beside it was recorded as it was asked, in a transaction that is kept.
  const denial = uploadDenial(upload, judged);
  const denied = new PolicyDenied(
    file.moment === 'announced' ? denial : { ...denial, observed: [] },
  );
  if (file.moment === 'announced') throw denied;
  return rejectionOf(tx, origin, denied);
}

/** What is kept of a refusal that the upload outlives, with its event. */
export async function rejectionOf(
  tx: Tx,
  origin: Origin,
  denied: PolicyDenied,
): Promise<Rejection> {
  await recordDenial(tx, origin, 'denied', denied.denial);
  return { code: denied.code, detail: denied.message, ...denied.extra };
}

function factsOf(file: Arriving): UploadFacts {
  const { bytes, tags, executable, scripted } = file;
  const mime = file.moment === 'announced' ? declaredType(file.mime) : file.mime;
  return {
    bytes,
    tags,
    ...(mime === null ? {} : { mime }),
    ...(executable === null || scripted === null
      ? {}
      : { traits: sniffedTraits({ executable, scripted }) }),
  };
}
