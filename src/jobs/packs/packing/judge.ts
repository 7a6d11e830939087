import { inProject, type Tx } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { PolicyDenied } from '../../../policies/denials.ts';
import { recordDenied } from '../../../policies/denials.ts';
import { enforceEach } from '../../../policies/enforce.ts';
import { loadPolicies } from '../../../policies/queries.ts';
import type { JobDeps } from '../../steps/step.ts';
import { vanished } from '../advance.ts';
import { packOrigin } from '../load.ts';
import { type LeftOut, leaveOut } from '../queries.ts';
import { type PackedDocument, readDocuments, shownBy, whatShows } from './contents.ts';

const perLook = 500;

/** The current state of a document, and the policies' denial if that is why it is left out. */
export interface JudgedDocument extends PackedDocument {
  /** The reason why it is left out, if it was not left out before. */
  left: LeftOut | null;
  denied: PolicyDenied | null;
}

/**
 * The current documents of a pack, without those whose object or text is gone or that policies no
 * longer let the requester process or read. Stores nothing; `settleLeftOut` does.
 */
export async function judgeDocuments(deps: JobDeps, pack: Pack): Promise<JudgedDocument[]> {
  const all: JudgedDocument[] = [];
  for (;;) {
    const some = await inProject(deps.database, pack.projectId, (tx) =>
      judgeAfter(tx, pack, all.at(-1)?.position ?? 0),
    );
    all.push(...some);
    if (some.length < perLook) return all;
  }
}

/** Whether the same documents may be in the pack as when they were checked. */
export async function isStillSo(
  tx: Tx,
  pack: Pack,
  judged: readonly JudgedDocument[],
): Promise<boolean> {
  const before = new Map(judged.map((one) => [one.position, one.state]));
  for (let after = 0; ; after += perLook) {
    const some = await judgeAfter(tx, pack, after);
    if (some.some(({ position, state }) => before.get(position) !== state)) return false;
    if (some.length < perLook) return true;
  }
}

/** Stores which documents are left out from now on, with an event for each denial. */
export async function settleLeftOut(
  tx: Tx,
  pack: Pack,
  judged: readonly JudgedDocument[],
): Promise<void> {
  leaveOut(
    tx,
    pack,
    judged.flatMap(({ left }) => left ?? []),
  );
  for (const { denied } of judged) {
    if (denied) await recordDenied(tx, packOrigin(pack), denied.denial);
  }
}

async function judgeAfter(tx: Tx, pack: Pack, after: number): Promise<JudgedDocument[]> {
  const documents = await readDocuments(tx, pack, after, perLook);
  const origin = packOrigin(pack);
  const built = documents.filter(({ state }) => state === 'succeeded');
  const ask = async (action: 'process' | 'read', shownBy: ReadonlyMap<string, string>) => {
    const policies = await loadPolicies(tx, pack.projectId, action);
    const attempt = { action, objectIds: built.map(({ objectId }) => objectId), shownBy };
    return (await enforceEach(tx, origin, attempt, policies)).denied;
  };
  const processing = await ask('process', new Map());
  const reading = await ask('read', whatShows(pack, built));
  return documents.map((one) => {
    if (one.state !== 'succeeded') return { ...one, left: null, denied: null };
    const shown = shownBy(pack, one);
    const denied = processing.get(one.objectId) ?? (shown && reading.get(one.objectId)) ?? null;
    if (one.sourceState !== 'available') return out(one, vanished(one.position));
    if (denied) return out(one, withheld(one.position, denied), denied);
    const { markdown, json, chunks } = one.outputs;
    if (shown && markdown && json && chunks) return { ...one, left: null, denied: null };
    return out(one, withoutText(one.position));
  });
}

function out(
  document: PackedDocument,
  left: LeftOut,
  denied: PolicyDenied | null = null,
): JudgedDocument {
  const { state, error } = left;
  return { ...document, state, error, left, denied };
}

function withheld(position: number, { code, message }: PolicyDenied): LeftOut {
  return { position, state: 'withheld', error: { code, message, retryable: false } };
}

function withoutText(position: number): LeftOut {
  const message = 'The text of the document was deleted while the pack was built.';
  const error = { code: 'output_unavailable', message, retryable: true };
  return { position, state: 'failed', error };
}
