import type { PackChange } from '@scriptorium/contracts/packs';
import { Problem } from '@scriptorium/contracts/problems';
import type { PackChangeRecord } from '@scriptorium/contracts/wire/packs';
import type { Tx } from '../../db/transaction.ts';
import type { Pack } from '../../entities/packs/pack.ts';
import { changesSince, readPacked } from './packing/changes.ts';

/**
 * The changes of a pack since the one that it refreshes: like `changes.json`, but by the filenames
 * in the list of its documents. Added, changed and removed documents follow in this order.
 * @throws Problem 409 if it does not refresh a pack, or has no archive
 */
export async function listChanges(
  tx: Tx,
  { projectId, id, refreshes, objectId, state }: Pack,
  wanted: readonly PackChange[] | undefined,
): Promise<PackChangeRecord[]> {
  if (refreshes === null)
    throw new Problem('state_conflict', `Pack '${id}' does not refresh a pack.`);
  if (objectId === null) {
    throw new Problem('state_conflict', `Pack '${id}' is ${state}; it has no archive.`);
  }
  const [before, now] = await Promise.all(
    [refreshes, id].map(async (pack) => {
      const documents = await readPacked(tx, projectId, pack);
      return documents.map((one) => ({ ...one, name: one.filename }));
    }),
  );
  const { added, changed, removed } = changesSince(before!, now!);
  const all: PackChangeRecord[] = [
    ...added.map((one) => ({ change: 'added' as const, ...one, before: null })),
    ...changed.map((one) => ({ change: 'changed' as const, ...one })),
    ...removed.map((one) => ({ change: 'removed' as const, ...one, before: null })),
  ];
  return wanted ? all.filter(({ change }) => wanted.includes(change)) : all;
}
