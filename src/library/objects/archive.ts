import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, Problem } from '@scriptorium/contracts/problems';
import type { VariantName } from '@scriptorium/contracts/variants';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { StoredObject } from '../../entities/library/stored-object.ts';
import { PolicyDenied, recordRolledBackDenial } from '../../policies/denials.ts';
import { findVariant } from '../variants.ts';
import { chooseDelivery, type DownloadContent } from './delivery.ts';
import { objectColumns } from './load.ts';

/** A file of an archive. */
export interface ArchivedFile {
  /** The requested object. */
  id: string;
  delivery: DownloadContent;
  sha256: string;
  bytes: number;
}

/** An object that is left out, and the reason. */
export interface OmittedObject {
  id: string;
  code: string;
  detail: string;
}

/** How the files of an archive are chosen. */
interface ArchiveOptions {
  /** Whether objects that cannot be delivered are left out. */
  goOn: boolean;
  /** The delivered content of an object. Default: the content that a key downloads. */
  deliver?: (tx: Tx, origin: Origin, object: StoredObject) => Promise<DownloadContent>;
  /** Whether equal denials within a minute are recorded only once. */
  isMerged?: boolean;
}

/**
 * Chooses the files of an archive of objects, each as its download would deliver it.
 * @returns the files, the objects left out, and the variants that do not exist yet
 * @throws Problem with every fault, unless `continueOnError`: 403 `policy_denied`, 409
 *   `state_conflict`, 422 `reference_not_found`
 */
export async function chooseArchive(
  tx: Tx,
  origin: Origin,
  ids: readonly string[],
  { goOn, deliver = chooseDelivery, isMerged = false }: ArchiveOptions,
): Promise<{ files: ArchivedFile[]; leftOut: OmittedObject[]; missing: [string, VariantName][] }> {
  const rows = await prepared<StoredObject>(
    tx,
    `SELECT ${objectColumns} FROM object WHERE project_id = $1 AND id = ANY($2)`,
    [origin.projectId, ids],
  );
  const objects = new Map(rows.map((object) => [object.id, object]));
  const files: ArchivedFile[] = [];
  const missing: [string, VariantName][] = [];
  const rejections: { index: number; id: string; problem: Problem }[] = [];
  for (const [index, id] of ids.entries()) {
    try {
      const available = requireAvailableObject(objects.get(id), id);
      const delivery = await deliver(tx, origin, available);
      const { object, strip } = delivery;
      const variant = strip && (await findVariant(tx, object.projectId, object.id, strip));
      if (variant?.error && !variant.error.retryable) throw stripFailed(id, variant.error.message);
      if (strip && (!variant?.sha256 || variant.bytes === null)) missing.push([object.id, strip]);
      const { sha256, bytes } = variant?.sha256 ? variant : object;
      files.push({ id, delivery, sha256: sha256 ?? '', bytes: bytes ?? 0 });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      rejections.push({ index, id, problem: error });
      if (goOn && error instanceof PolicyDenied) {
        await recordRolledBackDenial(tx, origin, error.denial, isMerged);
      }
    }
  }
  if (rejections.length > 0 && !goOn) throw combineProblems(rejections);
  const leftOut = rejections.map(({ id, problem: { code, message } }) => {
    return { id, code, detail: message };
  });
  return { files, leftOut, missing };
}

function requireAvailableObject(object: StoredObject | undefined, id: string): StoredObject {
  if (!object) throw new Problem('reference_not_found', `The object '${id}' does not exist.`);
  if (object.state === 'available') return object;
  throw new Problem('state_conflict', `The object '${id}' is ${object.state}, not available.`);
}

function stripFailed(id: string, message: string): Problem {
  return new Problem(
    'state_conflict',
    `A policy requires the removal of the metadata of '${id}', which failed. ${message}`,
  );
}

/** Returns one problem for all rejected objects; a policy's denial takes precedence. */
function combineProblems(
  rejections: readonly { index: number; id: string; problem: Problem }[],
): Problem {
  const errors: Fault[] = rejections.map(({ index, problem }) => {
    return { pointer: `/ids/${index}`, code: problem.code, detail: problem.message };
  });
  const denied = rejections.find(({ problem }) => problem instanceof PolicyDenied)?.problem;
  if (denied instanceof PolicyDenied) return new PolicyDenied(denied.denial, errors);
  const { code } = rejections[0]!.problem;
  const ids = rejections.map(({ id }) => `'${id}'`).join(', ');
  return new Problem(
    code,
    `The archive cannot include ${ids}. Leave them out, or send \`on_error: "continue"\`.`,
    { errors },
  );
}
