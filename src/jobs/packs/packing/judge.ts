import { inProject, type Tx } from '../../../db/transaction.ts';
import type { Pack } from '../../../entities/packs/pack.ts';
import type { PolicyDenied } from '../../../policies/denials.ts';
import { recordRolledBackDenial } from '../../../policies/denials.ts';
import { type BulkAction, enforceEach } from '../../../policies/enforce.ts';
import { loadPolicies } from '../../../policies/queries.ts';
import type { JobDeps } from '../../steps/step.ts';
import { unavailableDocument } from '../advance.ts';
import { packOrigin } from '../load.ts';
import { type LeftOutDocument, leaveOutDocuments } from '../queries.ts';
import { type PackedDocument, readDocuments, shownFileOf, shownObjectIds } from './contents.ts';

const batchSize = 500;

/** The current state of a document, and the denial if a policy is the reason why it is left out. */
export interface JudgedDocument extends PackedDocument {
  /** The reason why it is left out, if it was not left out before. */
  leftOut: LeftOutDocument | null;
  denied: PolicyDenied | null;
}

/**
 * The current documents of a pack. Marks as left out those whose object or text is gone, and those
 * that policies no longer let the requester process or read. Stores nothing; `storeLeftOut` does.
 */
export async function judgeDocuments(deps: JobDeps, pack: Pack): Promise<JudgedDocument[]> {
  const all: JudgedDocument[] = [];
  for (;;) {
    const batch = await inProject(deps.database, pack.projectId, (tx) =>
      judgeAfter(tx, pack, all.at(-1)?.position ?? 0),
    );
    all.push(...batch);
    if (batch.length < batchSize) return all;
  }
}

/** Whether the same documents are still allowed in the pack as when they were checked. */
export async function areUnchanged(
  tx: Tx,
  pack: Pack,
  judged: readonly JudgedDocument[],
): Promise<boolean> {
  const before = new Map(judged.map((document) => [document.position, document.state]));
  for (let after = 0; ; after += batchSize) {
    const batch = await judgeAfter(tx, pack, after);
    if (batch.some(({ position, state }) => before.get(position) !== state)) return false;
    if (batch.length < batchSize) return true;
  }
}

/** Stores which documents are left out from now on, with an event for each denial. */
export async function storeLeftOut(
  tx: Tx,
  pack: Pack,
  judged: readonly JudgedDocument[],
): Promise<void> {
  leaveOutDocuments(
    tx,
    pack,
    judged.flatMap(({ leftOut }) => leftOut ?? []),
  );
  for (const { denied } of judged) {
    if (denied) await recordRolledBackDenial(tx, packOrigin(pack), denied.denial);
  }
}

async function judgeAfter(tx: Tx, pack: Pack, after: number): Promise<JudgedDocument[]> {
  const documents = await readDocuments(tx, pack, after, batchSize);
  const origin = packOrigin(pack);
  const packed = documents.filter(({ state }) => state === 'succeeded');
  const findDenials = async (action: 'process' | 'read', shownIds: ReadonlyMap<string, string>) => {
    const policies = await loadPolicies(tx, pack.projectId, action);
    const objectIds = packed.map(({ objectId }) => objectId);
    const attempt: BulkAction = { action, objectIds, shownObjectIds: shownIds };
    return (await enforceEach(tx, origin, attempt, policies)).denied;
  };
  const deniedProcessing = await findDenials('process', new Map());
  const deniedReading = await findDenials('read', shownObjectIds(pack, packed));
  return documents.map((document) => {
    if (document.state !== 'succeeded') return { ...document, leftOut: null, denied: null };
    const shown = shownFileOf(pack, document);
    const denied =
      deniedProcessing.get(document.objectId) ??
      (shown && deniedReading.get(document.objectId)) ??
      null;
    if (document.sourceState !== 'available')
      return markLeftOut(document, unavailableDocument(document.position));
    if (denied) return markLeftOut(document, withheldByPolicy(document.position, denied), denied);
    const { markdown, json, chunks } = document.outputs;
    if (shown && markdown && json && chunks) return { ...document, leftOut: null, denied: null };
    return markLeftOut(document, textDeleted(document.position));
  });
}

function markLeftOut(
  document: PackedDocument,
  leftOut: LeftOutDocument,
  denied: PolicyDenied | null = null,
): JudgedDocument {
  const { state, error } = leftOut;
  return { ...document, state, error, leftOut, denied };
}

function withheldByPolicy(position: number, { code, message }: PolicyDenied): LeftOutDocument {
  return { position, state: 'withheld', error: { code, message, retryable: false } };
}

function textDeleted(position: number): LeftOutDocument {
  const message = 'The text of the document was deleted while the pack was built.';
  const error = { code: 'output_unavailable', message, retryable: true };
  return { position, state: 'failed', error };
}
