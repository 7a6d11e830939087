import { newId } from '../contracts/ids.ts';
import type { Origin } from '../contracts/origin.ts';
import { type Fault, invalid, Problem } from '../contracts/problems.ts';
import type { Scope } from '../contracts/scopes.ts';
import type { KeyCreate, KeyPatch, KeyRecord, KeyState } from '../contracts/wire/keys.ts';
import { concluding, prepared, query, send, type Tx } from '../db/transaction.ts';
import { record } from '../outbox/record.ts';
import { isCidr } from './addresses.ts';
import type { Identity } from './authenticate.ts';
import { refuseUnmanageable, refuseWider } from './key-bounds.ts';
import { newKey } from './key-format.ts';

/** A key as the database holds it, without its hash. */
interface StoredKey {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  allowed_cidrs: string[];
  read_per_minute: number | null;
  write_per_minute: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  version: number;
  state: KeyState;
}

const columns = `id, name, prefix, scopes, allowed_cidrs, read_per_minute, write_per_minute,
  expires_at, revoked_at, last_used_at, created_at, version,
  CASE WHEN revoked_at <= clock_timestamp() THEN 'revoked'
    WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'active' END AS state`;

/** A key as the API shows it. */
export function presentKey(key: StoredKey): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    allowed_cidrs: key.allowed_cidrs,
    state: key.state,
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
    version: key.version,
  };
}

/** The key of the wall's project, or null. */
export async function findKey(tx: Tx, id: string): Promise<StoredKey | null> {
  const [key] = await prepared<StoredKey>(
    tx,
    `SELECT ${columns} FROM api_key
     WHERE project_id = current_setting('app.project_id') AND id = $1`,
    [id],
  );
  return key ?? null;
}

/** The key of the wall's project, locked until the transaction ends, or null. */
export async function lockKey(tx: Tx, id: string): Promise<StoredKey | null> {
  const [key] = await prepared<StoredKey>(
    tx,
    `SELECT ${columns} FROM api_key
     WHERE project_id = current_setting('app.project_id') AND id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return key ?? null;
}

/** A key that is about to be changed, and the one that makes the request. */
export interface ManagedKey {
  key: StoredKey;
  grantor: StoredKey;
  version: number;
}

/** A key that is about to be changed, locked, with the one that makes the request; or null. */
export async function loadToManage(
  tx: Tx,
  id: string,
  identity: Identity,
): Promise<ManagedKey | null> {
  // A key may manage itself: read behind the lock, both are the same.
  const [key, grantor] = await Promise.all([lockKey(tx, id), findKey(tx, identity.keyId)]);
  return key && grantor && { key, grantor, version: key.version };
}

/** Keys, newest first; one more than `limit` when there are more. */
export async function listKeys(
  tx: Tx,
  options: { state?: readonly KeyState[] | undefined; before?: string | undefined; limit: number },
): Promise<StoredKey[]> {
  return query<StoredKey>(
    tx,
    `SELECT * FROM (SELECT ${columns} FROM api_key
       WHERE project_id = current_setting('app.project_id')) k
     WHERE ($1::text[] IS NULL OR state = ANY($1)) AND ($2::text IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [options.state ?? null, options.before ?? null, options.limit],
  );
}

/** How many keys there are, exactly. */
export async function countKeys(tx: Tx, state: readonly KeyState[] | undefined): Promise<number> {
  const [row] = await query<{ total: number }>(
    tx,
    `SELECT count(*)::integer AS total FROM (SELECT ${columns} FROM api_key
       WHERE project_id = current_setting('app.project_id')) k
     WHERE ($1::text[] IS NULL OR state = ANY($1))`,
    [state ?? null],
  );
  return row?.total ?? 0;
}

/** The key that makes a request, as the grantor of what it asks for. */
export async function grantorOf(tx: Tx, { keyId }: Identity): Promise<StoredKey> {
  const grantor = await findKey(tx, keyId);
  if (!grantor) throw new Error('A key that was just checked is gone; keys are never deleted.');
  return grantor;
}

/**
 * Issues a key. What is not asked for it has from the grantor, within whose bounds it stays; null is
 * the operator, who may give anything.
 * @param isLast whether it is all that the transaction does
 * @returns the key and its secret, which is nowhere else
 * @throws Problem 403 beyond the grantor's bounds, 422 for a range or a time that cannot be
 */
export async function createKey(
  tx: Tx,
  origin: Origin,
  grantor: StoredKey | null,
  asked: KeyCreate & { read_per_minute?: number | null; write_per_minute?: number | null },
  { isLast = true } = {},
): Promise<{ key: StoredKey; secret: string }> {
  refuseBadFields(asked);
  const bounds = grantor && grantingBounds(grantor);
  const wanted = {
    name: asked.name,
    scopes: asked.scopes,
    allowed_cidrs: asked.allowed_cidrs ?? bounds?.allowed_cidrs ?? [],
    expires_at:
      asked.expires_at === undefined ? (bounds?.expires_at ?? null) : timeOf(asked.expires_at),
    read_per_minute: asked.read_per_minute ?? bounds?.read_per_minute ?? null,
    write_per_minute: asked.write_per_minute ?? bounds?.write_per_minute ?? null,
  };
  refuseWider(bounds, wanted);
  const made = newKey();
  const id = newId('key');
  await record(tx, origin, {
    type: 'access.api_key.created',
    resourceId: id,
    data: { name: wanted.name, prefix: made.prefix, scopes: wanted.scopes },
  });
  const insert = (): Promise<StoredKey[]> =>
    prepared<StoredKey>(
      tx,
      `INSERT INTO api_key (project_id, id, name, prefix, key_hash, scopes, allowed_cidrs, expires_at,
       read_per_minute, write_per_minute)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${columns}`,
      [
        origin.projectId,
        id,
        wanted.name,
        made.prefix,
        made.hash,
        wanted.scopes,
        wanted.allowed_cidrs,
        wanted.expires_at,
        wanted.read_per_minute,
        wanted.write_per_minute,
      ],
    );
  const [key] = await (isLast ? concluding(tx, insert) : insert());
  return { key: key!, secret: made.secret };
}

/**
 * Changes fields of a key, which is locked. A patch that changes nothing records nothing.
 * @throws Problem 403 for a key beyond the grantor's bounds, or one that would be, 409 for a revoked
 *   key, 422 for a bad field
 */
export async function updateKey(
  tx: Tx,
  origin: Origin,
  grantor: StoredKey | null,
  key: StoredKey,
  patch: KeyPatch,
): Promise<StoredKey> {
  refuseUnmanageable(grantor, key);
  refuseBadFields(patch);
  if (key.state === 'revoked') throw new Problem('state_conflict', 'A revoked key stays as it is.');
  const before = presentKey(key);
  const after = {
    name: patch.name ?? key.name,
    scopes: patch.scopes ?? key.scopes,
    allowed_cidrs: patch.allowed_cidrs ?? key.allowed_cidrs,
    expires_at:
      patch.expires_at === undefined
        ? before.expires_at
        : patch.expires_at && new Date(patch.expires_at).toISOString(),
  };
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  if (changed.length === 0) return key;
  refuseWider(grantor && grantingBounds(grantor), {
    ...(changed.includes('scopes') ? { scopes: after.scopes } : {}),
    ...(changed.includes('allowed_cidrs') ? { allowed_cidrs: after.allowed_cidrs } : {}),
    ...(changed.includes('expires_at') ? { expires_at: timeOf(after.expires_at) } : {}),
  });
  await record(tx, origin, {
    type: 'access.api_key.updated',
    resourceId: key.id,
    data: { changed },
  });
  const [updated] = await concluding(tx, () =>
    prepared<StoredKey>(
      tx,
      `UPDATE api_key SET name = $2, scopes = $3, allowed_cidrs = $4, expires_at = $5, version = version + 1
       WHERE project_id = current_setting('app.project_id') AND id = $1 RETURNING ${columns}`,
      [key.id, after.name, after.scopes, after.allowed_cidrs, after.expires_at],
    ),
  );
  return updated!;
}

/**
 * Ends a key, which is locked, at once, in every process. One that is revoked already stays so.
 * @throws Problem 403 for a key beyond the grantor's bounds
 */
export async function revokeKey(
  tx: Tx,
  origin: Origin,
  grantor: StoredKey | null,
  key: StoredKey,
): Promise<void> {
  refuseUnmanageable(grantor, key);
  if (key.state === 'revoked') return;
  send(
    tx,
    `UPDATE api_key SET revoked_at = clock_timestamp(), version = version + 1
     WHERE project_id = $1 AND id = $2 AND (revoked_at IS NULL OR revoked_at > clock_timestamp())`,
    [origin.projectId, key.id],
  );
  await record(tx, origin, { type: 'access.api_key.revoked', resourceId: key.id, data: {} });
}

/**
 * Replaces a key by a new one with the same rights. The old one goes on for `overlapSeconds`, and no
 * longer than it would have.
 * @returns the new key, its secret, and when the old one ends
 * @throws Problem 409 for a key that has ended, 403 for one beyond the grantor's bounds
 */
export async function rollKey(
  tx: Tx,
  origin: Origin,
  grantor: StoredKey | null,
  key: StoredKey,
  overlapSeconds: number,
): Promise<{ key: StoredKey; secret: string; oldEndsAt: Date }> {
  refuseUnmanageable(grantor, key);
  if (key.state !== 'active') {
    throw new Problem('state_conflict', `The key is ${key.state}; make a new one.`);
  }
  const making = createKey(
    tx,
    origin,
    grantor,
    {
      name: key.name,
      scopes: key.scopes,
      allowed_cidrs: key.allowed_cidrs,
      expires_at: key.expires_at?.toISOString() ?? null,
      read_per_minute: key.read_per_minute,
      write_per_minute: key.write_per_minute,
    },
    { isLast: false },
  );
  const rolling = prepared<{ ends_at: Date }>(
    tx,
    `UPDATE api_key SET version = version + 1,
       revoked_at = LEAST(revoked_at, clock_timestamp() + make_interval(secs => $3))
     WHERE project_id = $1 AND id = $2 RETURNING LEAST(revoked_at, expires_at) AS ends_at`,
    [origin.projectId, key.id, overlapSeconds],
  );
  const [made, [old]] = await Promise.all([making, rolling]);
  const oldEndsAt = old!.ends_at;
  await record(tx, origin, {
    type: 'access.api_key.rolled',
    resourceId: key.id,
    data: {
      new_key_id: made.key.id,
      overlap_seconds: overlapSeconds,
      ends_at: oldEndsAt.toISOString(),
    },
  });
  return { ...made, oldEndsAt };
}

/** When a key stops working, by its time or because it was rolled; null is never. */
export function keyEndsAt({ expires_at: expires, revoked_at: revoked }: StoredKey): Date | null {
  return expires && revoked ? (expires < revoked ? expires : revoked) : (expires ?? revoked);
}

/** What a key can give away: one that was rolled, nothing that outlives it. */
function grantingBounds(key: StoredKey): StoredKey {
  return { ...key, expires_at: keyEndsAt(key) };
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function refuseBadFields(fields: KeyPatch): void {
  const faults: Fault[] = [];
  for (const [at, cidr] of (fields.allowed_cidrs ?? []).entries()) {
    if (isCidr(cidr)) continue;
    faults.push({
      pointer: `/allowed_cidrs/${at}`,
      code: 'wrong_format',
      detail: 'It must be a range of addresses such as 10.0.0.0/8 or 2001:db8::/32.',
    });
  }
  if (fields.expires_at && new Date(fields.expires_at).getTime() <= Date.now()) {
    const detail = 'It must lie in the future.';
    faults.push({ pointer: '/expires_at', code: 'too_small', detail });
  }
  if (faults.length > 0) throw invalid(faults);
}
