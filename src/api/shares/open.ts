import type { Actor } from '@scriptorium/contracts/origin';
import { authenticateSigned } from '../../access/authenticate.ts';
import { enterProject, type Tx } from '../../db/transaction.ts';
import type { Share } from '../../entities/library/share.ts';
import { coversShare, findShare } from '../../library/shares/load.ts';
import type { ShareRef } from './link.ts';

/**
 * The share of a link, with the transaction restricted to its project; null if it does not exist,
 * or if its creator no longer has the granted scopes.
 * @throws Problem 403 if the key that created it may not be used from the visitor's address
 */
export async function openShare(
  tx: Tx,
  { projectId, id }: ShareRef,
  address: string | null,
): Promise<Share | null> {
  await enterProject(tx, projectId);
  const share = await findShare(tx, id);
  const creator = share && callerOf(share.createdBy);
  if (!creator) return null;
  const scopes = await authenticateSigned(tx, projectId, creator, address);
  return scopes && coversShare(scopes, share) ? share : null;
}

function callerOf({ type, id }: Actor): { type: 'api_key' | 'user'; id: string } | null {
  return id !== null && (type === 'api_key' || type === 'user') ? { type, id } : null;
}
