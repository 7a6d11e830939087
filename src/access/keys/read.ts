import { presentActor } from '@scriptorium/contracts/origin';
import type { KeyRecord, KeySort, KeyState } from '@scriptorium/contracts/wire/keys';
import { Conditions } from '../../db/statements/conditions.ts';
import {
  keysetOf,
  type Position,
  type Positioned,
  type Sort,
  type SortKeys,
} from '../../db/statements/keyset.ts';
import { currentProject, selectListOf } from '../../db/statements/rows.ts';
import { query, type Tx } from '../../db/transaction.ts';
import { ApiKey, keyStateOf } from '../../entities/access/api-key.ts';

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
    created_by: presentActor(key.createdBy),
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

/** Keys that were never used sort first; keys that never expire sort last. */
const sortKeys: SortKeys<KeySort> = {
  created_at: 'id',
  name: { column: 'lower(name)', type: 'text' },
  last_used_at: { column: `coalesce(last_used_at, '-infinity')`, type: 'timestamptz' },
  expires_at: { column: `coalesce(expires_at, 'infinity')`, type: 'timestamptz' },
};

interface KeyFilters {
  ids?: readonly string[] | undefined;
  state?: readonly KeyState[] | undefined;
}

/** Up to `limit` keys after a position, sorted. */
export async function listKeys(
  tx: Tx,
  page: KeyFilters & { sort?: Sort<KeySort>; after?: Position | null; limit: number },
): Promise<{ key: ApiKey; position: string[] }[]> {
  const keyset = keysetOf(sortKeys, page.sort ?? '-created_at');
  const where = keyConditions(page);
  keyset.startAfter(where, page.after ?? null);
  const rows = await query<ApiKey & Positioned>(
    tx,
    `SELECT ${selectListOf(tx, ApiKey)}, ${keyset.position} FROM api_key WHERE ${where.sql()}
     ORDER BY ${keyset.order} LIMIT ${where.bind(page.limit)}`,
    where.values,
  );
  return rows.map((key) => ({ key, position: keyset.positionOf(key) }));
}

/** The exact number of keys. */
export async function countKeys(tx: Tx, filters: KeyFilters): Promise<number> {
  const where = keyConditions(filters);
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*)::integer AS n FROM api_key WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

function keyConditions({ ids, state }: KeyFilters): Conditions {
  const where = new Conditions();
  where.add(`project_id = current_setting('app.project_id')`);
  if (ids) where.add('id = ANY(?::text[])', ids);
  if (state) where.add(`${keyStateOf('api_key')} = ANY(?)`, state);
  return where;
}

/** When a key stops working, because it expires or was rolled; null if it never does. */
export function keyEndsAt({ expiresAt, revokedAt }: ApiKey): Date | null {
  if (!expiresAt || !revokedAt) return expiresAt ?? revokedAt;
  return expiresAt < revokedAt ? expiresAt : revokedAt;
}
