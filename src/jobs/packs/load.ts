import type { Origin } from '@scriptorium/contracts/origin';
import { nextVersion, sendUpdate, transactionTime, type Values } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Pack } from '../../entities/packs/pack.ts';

/** A pack, locked until the transaction ends. Locked before the pack's jobs. */
export async function lockPack(tx: Tx, projectId: string, id: string): Promise<Pack | null> {
  return tx.findOne(Pack, { where: { projectId, id }, lock: { mode: 'pessimistic_write' } });
}

/** A pack of the project, or null. */
export async function findPack(tx: Tx, projectId: string, id: string): Promise<Pack | null> {
  return tx.findOneBy(Pack, { projectId, id });
}

/** Sends a change of a locked pack, whose version increases, and does not wait for it. */
export function changePack(tx: Tx, { projectId, id }: Pack, change: Values<Pack>): void {
  const values = { ...change, updatedAt: transactionTime, version: nextVersion };
  sendUpdate(tx, Pack, { projectId, id }, values);
}

/** The origin of events that a pack's workers record: the request that created it. */
export function packOrigin(pack: Pack): Origin {
  return { projectId: pack.projectId, ...pack.origin };
}
