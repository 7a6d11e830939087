import type { PackChange } from '@scriptorium/contracts/packs';
import { Problem } from '@scriptorium/contracts/problems';
import type { PackChangeRecord } from '@scriptorium/contracts/wire/packs';
import type { Tx } from '../../db/transaction.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import { changesSince, readPackedDocuments } from './packing/changes.ts';

/**
 * The changes of a pack since the one that it refreshes, as in `changes.json` but with the filenames
 * of the list of documents: first the added, then the changed, then the removed documents.
 * @throws Problem 409 if it does not refresh a pack, or has no archive
 */
export async function listChanges(
  tx: Tx,
  { projectId, id, refreshes, objectId, state }: Pack,
  kinds: readonly PackChange[] | undefined,
): Promise<PackChangeRecord[]> {
  if (refreshes === null)
    throw new Problem('state_conflict', `Pack '${id}' does not refresh a pack.`);
  if (objectId === null) {
    throw new Problem('state_conflict', `Pack '${id}' is ${state}; it has no archive.`);
  }
  const [before, now] = await Promise.all(
    [refreshes, id].map(async (pack) => {
      const documents = await readPackedDocuments(tx, projectId, pack);
      return documents.map((document) => ({ ...document, name: document.filename }));
    }),
  );
  const { added, changed, removed } = changesSince(before!, now!);
  const all: PackChangeRecord[] = [
    ...added.map((document) => ({ change: 'added' as const, ...document, before: null })),
    ...changed.map((document) => ({ change: 'changed' as const, ...document })),
    ...removed.map((document) => ({ change: 'removed' as const, ...document, before: null })),
  ];
  return kinds ? all.filter(({ change }) => kinds.includes(change)) : all;
}
