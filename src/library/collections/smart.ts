import type { MemberRef } from '../../contracts/wire/collections.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Collection } from '../../entities/collection.ts';

/** The smart collections out of the trash whose query finds an image. */
export async function findSmartHolders(
  _tx: Tx,
  _projectId: string,
  _refs: readonly MemberRef[],
): Promise<string[]> {
  return [];
}

/** How many images a smart collection's query finds now. */
export async function countSmartMembers(_tx: Tx, _collection: Collection): Promise<number> {
  return 0;
}
