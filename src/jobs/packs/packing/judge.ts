import { inProject, type Tx } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { PolicyDenied } from '../../../policies/denials.ts';
import { recordRefusal } from '../../../policies/denials.ts';
import { enforceEach } from '../../../policies/enforce.ts';
import { loadPolicies } from '../../../policies/queries.ts';
import type { JobDeps } from '../../steps/step.ts';
import { vanished } from '../advance.ts';
import { packOrigin } from '../load.ts';
import { type LeftOut, leaveOut } from '../queries.ts';
import { type PackedDocument, readDocuments, shownBy } from './contents.ts';

const perLook = 500;

/**
 * All documents of a pack as they are now. Those whose object has gone or that policies no longer let
 * the requester process or read are left out from now on.
 */
export async function judgeDocuments(deps: JobDeps, pack: Pack): Promise<PackedDocument[]> {
  const all: PackedDocument[] = [];
  for (let after = 0; ; after = all.at(-1)!.position) {
    const some = await inProject(deps.database, pack.projectId, async (tx) => {
      const documents = await readDocuments(tx, pack, after, perLook);
      const left = await judge(tx, pack, documents);
      leaveOut(tx, pack, left);
      const byPosition = new Map(left.map((one) => [one.position, one]));
      return documents.map((one) => ({ ...one, ...byPosition.get(one.position) }));
    });
    all.push(...some);
    if (some.length < perLook) return all;
  }
}

async function judge(tx: Tx, pack: Pack, documents: readonly PackedDocument[]): Promise<LeftOut[]> {
  const origin = packOrigin(pack);
  const built = documents.filter(({ state }) => state === 'succeeded');
  const ask = async (action: 'process' | 'read', ids: string[]) =>
    enforceEach(tx, origin, action, ids, await loadPolicies(tx, pack.projectId, action));
  const processing = await ask(
    'process',
    built.map(({ objectId }) => objectId),
  );
  const reading = await ask(
    'read',
    built.map((one) => shownBy(one).objectId),
  );
  const left: LeftOut[] = [];
  for (const one of built) {
    const denied = processing.get(one.objectId) ?? reading.get(shownBy(one).objectId);
    if (one.sourceState !== 'available') left.push(vanished(one.position));
    else if (denied) {
      await recordRefusal(tx, origin, denied.denial);
      left.push(withheld(one.position, denied));
    } else if (!one.outputs.markdown || !one.outputs.json || !one.outputs.chunks) {
      const message = 'The text of the document was deleted while the pack was built.';
      const error = { code: 'output_unavailable', message, retryable: true };
      left.push({ position: one.position, state: 'failed', error });
    }
  }
  return left;
}

function withheld(position: number, { code, message }: PolicyDenied): LeftOut {
  return { position, state: 'withheld', error: { code, message, retryable: false } };
}
