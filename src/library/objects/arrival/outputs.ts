import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import type { Trait } from '@scriptorium/contracts/rules';
import { sendInsert } from '../../../db/statements/rows.ts';
import type { Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { schedule } from '../../../outbox/schedule.ts';
import { recordDenial } from '../../../policies/denials.ts';
import { decideUpload, uploadDenial } from '../../../policies/enforce.ts';
import { copyHolds, findHolds, lockScopes } from '../../../policies/facts/holds.ts';
import type { RetainedBytes } from '../../bytes/retain.ts';
import { announceAvailable } from './announce-available.ts';
import { fixedPageCount } from './read-text.ts';

export interface OperationOutput {
  source: StoredObject;
  /** Used instead of the source's filename. */
  sourceFilename?: string | undefined;
  jobId: string;
  /** Replaces the source's extension: `.ocr.pdf`. */
  suffix: string;
  mime: string;
  content: RetainedBytes;
}

/**
 * Creates the object of a job's output, available at once. Outputs are never treated as duplicates.
 * A hold on the source applies to the output too.
 * @returns the object's identifier
 */
export async function createOutput(
  tx: Tx,
  origin: Origin,
  output: OperationOutput,
): Promise<string> {
  const filename = outputName(output.sourceFilename ?? output.source.filename, output.suffix);
  const { id } = await insertDerived(tx, origin, { ...output, filename, traits: [] });
  return id;
}

/** A file that was found inside a source, such as an attachment of a message. */
export interface Attachment {
  source: StoredObject;
  jobId: string;
  /** Safe to store: `cleanFilename`. */
  filename: string;
  /** Sniffed, not declared. */
  mime: string;
  traits: Trait[];
  content: RetainedBytes;
}

/**
 * Creates the object of a file inside a source. Policies on uploads apply, as if it had been uploaded with
 * the tags of the source. It is `processing` if one of them requires facts that only a worker can read.
 * @returns the object's identifier; null if a policy denies it, which is recorded
 */
export async function createAttachment(
  tx: Tx,
  origin: Origin,
  file: Attachment,
): Promise<string | null> {
  const { filename, mime, traits, content, source } = file;
  const upload = {
    objectId: null,
    facts: { mime, traits, bytes: content.bytes, tags: source.tags },
    file: { filename, sha256: content.sha256 },
    by: 'worker' as const,
  };
  const decision = await decideUpload(tx, origin, upload);
  if (decision.decision === 'deny') {
    await recordDenial(tx, origin, 'denied', uploadDenial(upload, decision));
    return null;
  }
  const state = decision.decision === 'pending' ? 'processing' : 'available';
  const { id, created } = await insertDerived(tx, origin, file, state);
  if (state === 'processing') {
    await schedule(tx, origin.projectId, id, {
      kind: 'object.inspect',
      payload: { object_id: id, event_id: created },
    });
  }
  return id;
}

/** Inserts an object made from another one, with its events and the holds on its source. */
async function insertDerived(
  tx: Tx,
  origin: Origin,
  file: Attachment,
  state: 'available' | 'processing' = 'available',
): Promise<{ id: string; created: string }> {
  const id = newId('object');
  const { filename, mime, traits, source, jobId } = file;
  const { bytes, sha256 } = file.content;
  const derivedFrom = source.id;
  sendInsert(tx, StoredObject, {
    id,
    projectId: origin.projectId,
    state,
    filename,
    mime,
    traits,
    bytes,
    sha256,
    derivedFrom,
    pages: fixedPageCount(mime),
    sourceKind: 'job',
    sourceJobId: jobId,
  });
  lockScopes(tx, origin.projectId, 'shared');
  await copyHolds(tx, origin.projectId, [id], await findHolds(tx, origin.projectId, source.id));
  const [createdEventId] = await record(tx, origin, {
    type: 'dam.object.created',
    resourceId: id,
    data: { filename, mime, bytes, sha256, derived_from: derivedFrom },
  });
  if (state === 'available') {
    await announceAvailable(tx, origin, { id, filename, mime, bytes, sha256, derivedFrom });
  }
  return { id, created: createdEventId! };
}

/** The name of an output: the source's name without its extension, and the suffix. */
function outputName(filename: string, suffix: string): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const maxStemBytes = 255 - Buffer.byteLength(suffix);
  let shortened = stem;
  while (Buffer.byteLength(shortened) > maxStemBytes)
    shortened = [...shortened].slice(0, -1).join('');
  return shortened + suffix;
}
