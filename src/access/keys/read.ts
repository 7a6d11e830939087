import { type FindOptionsWhere, In, LessThan } from 'typeorm';
import { presentActor } from '../../contracts/origin.ts';
import type { KeyRecord, KeyState } from '../../contracts/wire/keys.ts';
import { currentProject } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { ApiKey } from '../../entities/access/api-key.ts';

/** A key as the API returns it. */
export function presentKey(key: ApiKey): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    allowed_cidrs: key.allowedCidrs,
    state: key.state,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_by: key.createdBy && presentActor(key.createdBy),
    created_at: key.createdAt.toISOString(),
    version: key.version,
  };
}

/** The key of the current project, or null. */
export function findKey(tx: Tx, id: string): Promise<ApiKey | null> {
  return tx.findOneBy(ApiKey, { projectId: currentProject, id });
}

/** The key of the current project, locked until the transaction ends, or null. */
export function lockKey(tx: Tx, id: string): Promise<ApiKey | null> {
  const where = { projectId: currentProject, id };
  return tx.findOne(ApiKey, { where, lock: { mode: 'for_no_key_update' } });
}

/** Up to `limit` keys, newest first. */
export function listKeys(
  tx: Tx,
  options: { state?: readonly KeyState[] | undefined; before?: string | undefined; limit: number },
): Promise<ApiKey[]> {
  const { state, before, limit } = options;
  const where = { ...inState(state), ...(before !== undefined && { id: LessThan(before) }) };
  return tx.find(ApiKey, { where, order: { id: 'DESC' }, take: limit });
}

/** The exact number of keys. */
export function countKeys(tx: Tx, state: readonly KeyState[] | undefined): Promise<number> {
  return tx.countBy(ApiKey, inState(state));
}

function inState(state: readonly KeyState[] | undefined): FindOptionsWhere<ApiKey> {
  return { projectId: currentProject, ...(state && { state: In(state) }) };
}

/** When a key stops working, because it expires or was rolled; null is never. */
export function keyEndsAt({ expiresAt, revokedAt }: ApiKey): Date | null {
  if (!expiresAt || !revokedAt) return expiresAt ?? revokedAt;
  return expiresAt < revokedAt ? expiresAt : revokedAt;
}
