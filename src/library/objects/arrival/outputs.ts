import { newId } from '../../../contracts/ids.ts';
import type { Origin } from '../../../contracts/origin.ts';
import { sendInsert } from '../../../db/statements/rows.ts';
import type { Tx } from '../../../db/transaction.ts';
import { StoredObject } from '../../../entities/library/stored-object.ts';
import { record } from '../../../outbox/record.ts';
import { copyHolds, holdsOn, lockScopes } from '../../../policies/facts/holds.ts';
import type { HeldBytes } from '../../bytes/hold.ts';
import { announceAvailable } from './available.ts';
import { knownPages } from './read-text.ts';

export interface OperationOutput {
  source: StoredObject;
  /** Used instead of the source's filename. */
  namedAfter?: string | undefined;
  jobId: string;
  /** Replaces the source's extension: `.ocr.pdf`. */
  suffix: string;
  mime: string;
  content: HeldBytes;
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
  const id = newId('object');
  const { bytes, sha256 } = output.content;
  const filename = outputName(output.namedAfter ?? output.source.filename, output.suffix);
  sendInsert(tx, StoredObject, {
    id,
    projectId: origin.projectId,
    state: 'available',
    filename,
    mime: output.mime,
    traits: [],
    bytes,
    sha256,
    derivedFrom: output.source.id,
    pages: knownPages(output.mime),
    sourceKind: 'job',
    sourceJobId: output.jobId,
  });
  lockScopes(tx, origin.projectId, 'shared');
  await copyHolds(
    tx,
    origin.projectId,
    [id],
    await holdsOn(tx, origin.projectId, output.source.id),
  );
  const { mime } = output;
  const derivedFrom = output.source.id;
  await record(tx, origin, {
    type: 'dam.object.created',
    resourceId: id,
    data: { filename, mime, bytes, sha256, derived_from: derivedFrom },
  });
  await announceAvailable(tx, origin, { id, filename, mime, bytes, sha256, derivedFrom });
  return id;
}

/** The name of an output: the source's without its extension, and the suffix. */
function outputName(filename: string, suffix: string): string {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const room = 255 - Buffer.byteLength(suffix);
  let kept = stem;
  while (Buffer.byteLength(kept) > room) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}
