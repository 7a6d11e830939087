import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, invalid, Problem } from '@scriptorium/contracts/problems';
import type { KeyCreate, KeyPatch } from '@scriptorium/contracts/wire/keys';
import { Raw } from 'typeorm';
import { postgresTime } from '../../db/postgres-time.ts';
import { clockTime, nextVersion, sendInsert, sendUpdate } from '../../db/statements/rows.ts';
import { commitWith, type Tx } from '../../db/transaction.ts';
import { ApiKey } from '../../entities/access/api-key.ts';
import { record } from '../../outbox/record.ts';
import { isCidr } from '../addresses.ts';
import type { Identity } from '../authenticate.ts';
import { endOffers, type Offers, openOffersOf, scopesOfKey } from '../members/granting.ts';
import { type KeyBounds, rejectUnmanageable, rejectWider } from './bounds.ts';
import { newKey } from './format.ts';
import { findKey, keyEndsAt, lockKey, presentKey } from './read.ts';

/** The minimum time that a key which replaces itself keeps working. */
const ownOverlapSeconds = 60;

/** A locked key, and the invitations and memberships made with it that are not accepted yet. */
export interface LockedKey {
  key: ApiKey;
  offers: Offers;
}

/** A key to change, and the limits of the caller. */
export interface ManagedKey extends LockedKey {
  grantor: Grantor;
  version: number;
}

/** The limits within which a caller manages keys, and those of what it may grant. */
export interface Grantor {
  own: KeyBounds;
  granting: KeyBounds;
}

/** A key to change, locked, with the limits of the caller; or null. */
export async function loadToManage(
  tx: Tx,
  id: string,
  identity: Identity,
): Promise<ManagedKey | null> {
  // A key may manage itself, so it is read after locking, when both rows are the same.
  const [locked, grantor] = await Promise.all([lockToChange(tx, id), grantorOf(tx, identity)]);
  return locked && { ...locked, grantor, version: locked.key.version };
}

/** A key to change, locked; or null. */
export async function lockToChange(tx: Tx, id: string): Promise<LockedKey | null> {
  const [key, offers] = await Promise.all([
    lockKey(tx, id),
    openOffersOf(tx, id, { withKeys: false }),
  ]);
  return key && { key, offers };
}

/** The limits of the caller of a request, as the grantor of new rights. */
export async function grantorOf(tx: Tx, { caller, scopes }: Identity): Promise<Grantor> {
  if (caller.type === 'user') {
    // A person's only limit is their role.
    const own = { ...unlimited, scopes };
    return { own, granting: own };
  }
  const key = await findKey(tx, caller.id);
  if (!key) throw new Error('A key that was just checked does not exist. Keys are never deleted.');
  return { own: boundsOf(key), granting: grantingBounds(key) };
}

const unlimited = {
  allowed_cidrs: [],
  expires_at: null,
  read_per_minute: null,
  write_per_minute: null,
} as const;

/**
 * Issues a key. Fields that are not given are inherited from the grantor, whose limits the key
 * cannot exceed. A null grantor is the operator, who may give anything.
 * @param isLast whether the transaction does nothing else
 * @returns the key and its secret, which is not stored
 * @throws Problem 403 beyond the grantor's limits, 422 for an invalid range or time
 */
export async function createKey(
  tx: Tx,
  origin: Origin,
  grantor: Grantor | null,
  asked: KeyCreate & { read_per_minute?: number | null; write_per_minute?: number | null },
  { isLast = true } = {},
): Promise<{ key: ApiKey; secret: string }> {
  rejectBadFields(asked);
  const bounds = grantor?.granting ?? null;
  const wanted = {
    name: asked.name,
    scopes: asked.scopes,
    allowed_cidrs: asked.allowed_cidrs ?? [...(bounds?.allowed_cidrs ?? [])],
    expires_at:
      asked.expires_at === undefined ? (bounds?.expires_at ?? null) : timeOf(asked.expires_at),
    read_per_minute: asked.read_per_minute ?? bounds?.read_per_minute ?? null,
    write_per_minute: asked.write_per_minute ?? bounds?.write_per_minute ?? null,
  };
  rejectWider(bounds, wanted);
  const made = newKey();
  const id = newId('key');
  await record(tx, origin, {
    type: 'access.api_key.created',
    resourceId: id,
    data: { name: wanted.name, prefix: made.prefix, scopes: wanted.scopes },
  });
  sendInsert(tx, ApiKey, {
    projectId: origin.projectId,
    id,
    name: wanted.name,
    prefix: made.prefix,
    keyHash: made.hash,
    scopes: wanted.scopes,
    allowedCidrs: wanted.allowed_cidrs,
    expiresAt: wanted.expires_at,
    readPerMinute: wanted.read_per_minute,
    writePerMinute: wanted.write_per_minute,
    createdBy: origin.actor,
  });
  const stored = (): Promise<ApiKey> =>
    tx.findOneByOrFail(ApiKey, { projectId: origin.projectId, id });
  const key = await (isLast ? commitWith(tx, stored) : stored());
  return { key, secret: made.secret };
}

/**
 * Changes fields of a locked key, and ends the open invitations that the key may no longer make. A
 * patch that changes nothing records nothing.
 * @throws Problem 403 if the key is or would be beyond the grantor's limits, 409 for a revoked key,
 *   422 for an invalid field
 */
export async function updateKey(
  tx: Tx,
  origin: Origin,
  grantor: Grantor | null,
  { key, offers }: LockedKey,
  patch: KeyPatch,
): Promise<ApiKey> {
  rejectUnmanageable(grantor?.own ?? null, boundsOf(key));
  rejectBadFields(patch);
  if (key.state === 'revoked')
    throw new Problem('state_conflict', 'A revoked key cannot be changed.');
  const before = presentKey(key);
  const after = {
    name: patch.name ?? key.name,
    scopes: patch.scopes ?? key.scopes,
    allowed_cidrs: patch.allowed_cidrs ?? key.allowedCidrs,
    expires_at:
      patch.expires_at === undefined
        ? before.expires_at
        : patch.expires_at && new Date(patch.expires_at).toISOString(),
  };
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  );
  if (changed.length === 0) return key;
  rejectWider(grantor?.granting ?? null, {
    ...(changed.includes('scopes') ? { scopes: after.scopes } : {}),
    ...(changed.includes('allowed_cidrs') ? { allowed_cidrs: after.allowed_cidrs } : {}),
    ...(changed.includes('expires_at') ? { expires_at: timeOf(after.expires_at) } : {}),
  });
  await record(tx, origin, {
    type: 'access.api_key.updated',
    resourceId: key.id,
    data: { changed },
  });
  const own = { projectId: origin.projectId, id: key.id };
  sendUpdate(tx, ApiKey, own, {
    name: after.name,
    scopes: after.scopes,
    allowedCidrs: after.allowed_cidrs,
    expiresAt: timeOf(after.expires_at),
    version: nextVersion,
  });
  const { scopes, allowed_cidrs: allowedCidrs } = after;
  const changedKey = { ...key, scopes, allowedCidrs, expiresAt: timeOf(after.expires_at) };
  await endOffers(tx, origin, offers, scopesOfKey(changedKey));
  return commitWith(tx, () => tx.findOneByOrFail(ApiKey, own));
}

/**
 * Revokes a locked key at once, in every process, and ends the open invitations made with it. A
 * revoked key stays revoked.
 * @throws Problem 403 for a key beyond the grantor's limits
 */
export async function revokeKey(
  tx: Tx,
  origin: Origin,
  grantor: Grantor | null,
  { key, offers }: LockedKey,
): Promise<void> {
  rejectUnmanageable(grantor?.own ?? null, boundsOf(key));
  if (key.state === 'revoked') return;
  const unrevoked = Raw((at) => `(${at} IS NULL OR ${at} > clock_timestamp())`);
  sendUpdate(
    tx,
    ApiKey,
    { projectId: origin.projectId, id: key.id, revokedAt: unrevoked },
    { revokedAt: clockTime, version: nextVersion },
  );
  await record(tx, origin, { type: 'access.api_key.revoked', resourceId: key.id, data: {} });
  await endOffers(tx, origin, offers, []);
}

/**
 * Replaces a key with a new one with the same rights. The old one remains valid for `overlapSeconds`,
 * but no longer than it would have been. A key that replaces itself remains valid for a minute at least:
 * the response may be lost, and only the old key can repeat the request. Open invitations made with the old
 * one end.
 * @returns the new key, its secret, and when the old one expires
 * @throws Problem 409 for a revoked or expired key, 403 for one beyond the grantor's limits
 */
export async function rollKey(
  tx: Tx,
  origin: Origin,
  grantor: Grantor | null,
  { key, offers }: LockedKey,
  overlapSeconds: number,
): Promise<{ key: ApiKey; secret: string; oldEndsAt: Date }> {
  rejectUnmanageable(grantor?.own ?? null, boundsOf(key));
  if (key.state !== 'active') {
    throw new Problem('state_conflict', `The key is ${key.state}. Create a new one.`);
  }
  const making = createKey(
    tx,
    origin,
    grantor,
    {
      name: key.name,
      scopes: key.scopes,
      allowed_cidrs: key.allowedCidrs,
      expires_at: key.expiresAt?.toISOString() ?? null,
      read_per_minute: key.readPerMinute,
      write_per_minute: key.writePerMinute,
    },
    { isLast: false },
  );
  const own = { projectId: origin.projectId, id: key.id };
  const isItself = origin.actor.type === 'api_key' && origin.actor.id === key.id;
  const overlap = isItself ? Math.max(overlapSeconds, ownOverlapSeconds) : overlapSeconds;
  const end = 'LEAST(revoked_at, clock_timestamp() + make_interval(secs => :overlapSeconds))';
  const rolled = { revokedAt: () => end, version: nextVersion };
  sendUpdate(tx, ApiKey, own, rolled, { overlapSeconds: overlap });
  const [made, old] = await Promise.all([making, tx.findOneByOrFail(ApiKey, own)]);
  const oldEndsAt = keyEndsAt(old)!;
  await record(tx, origin, {
    type: 'access.api_key.rolled',
    resourceId: key.id,
    data: {
      new_key_id: made.key.id,
      overlap_seconds: overlap,
      ends_at: oldEndsAt.toISOString(),
    },
  });
  // It had no expiry before.
  await endOffers(tx, origin, offers, []);
  return { ...made, oldEndsAt };
}

/** The limits of a key. */
function boundsOf(key: ApiKey): KeyBounds {
  return {
    scopes: key.scopes,
    allowed_cidrs: key.allowedCidrs,
    expires_at: key.expiresAt,
    read_per_minute: key.readPerMinute,
    write_per_minute: key.writePerMinute,
  };
}

/** The limits of what a key may grant: nothing that outlives it, even after it was rolled. */
function grantingBounds(key: ApiKey): KeyBounds {
  return { ...boundsOf(key), expires_at: keyEndsAt(key) };
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function rejectBadFields(fields: KeyPatch): void {
  const faults: Fault[] = [];
  for (const [at, cidr] of (fields.allowed_cidrs ?? []).entries()) {
    if (isCidr(cidr)) continue;
    faults.push({
      pointer: `/allowed_cidrs/${at}`,
      code: 'wrong_format',
      detail: 'It must be an IP address range, such as 10.0.0.0/8 or 2001:db8::/32.',
    });
  }
  if (fields.expires_at && new Date(fields.expires_at).getTime() <= postgresTime()) {
    const detail = 'It must be in the future.';
    faults.push({ pointer: '/expires_at', code: 'too_small', detail });
  }
  if (faults.length > 0) throw invalid(faults);
}
