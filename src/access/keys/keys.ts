import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Fault, Problem, validationFailed } from '@scriptorium/contracts/problems';
import type { KeyCreate, KeyPatch } from '@scriptorium/contracts/wire/keys';
import { Raw } from 'typeorm';
import { postgresTime } from '../../db/postgres-time.ts';
import { clockTime, nextVersion, sendInsert, sendUpdate } from '../../db/statements/rows.ts';
import { commitWith, type Tx } from '../../db/transaction.ts';
import { ApiKey } from '../../entities/access/api-key.ts';
import { record } from '../../outbox/record.ts';
import type { Identity } from '../authenticate.ts';
import { isCidr } from '../ip-addresses.ts';
import { endOffers, findOpenOffers, grantableScopesOf, type Offers } from '../members/granting.ts';
import { type KeyBounds, rejectUnmanageable, rejectWiderBounds } from './bounds.ts';
import { newKey } from './format.ts';
import { findKey, keyEndsAt, lockKey, presentKey } from './read.ts';

/** The minimum time for which a key that replaces itself keeps working. */
const minSelfRollSeconds = 60;

/** A locked key, and the invitations and memberships granted with it that are not accepted yet. */
export interface LockedKey {
  key: ApiKey;
  offers: Offers;
}

/** A key to change, and the limits of the caller. */
export interface ManagedKey extends LockedKey {
  grantor: KeyGrantor;
  version: number;
}

/** The limits within which a caller manages keys, and the limits of what it may grant. */
export interface KeyGrantor {
  bounds: KeyBounds;
  grantableBounds: KeyBounds;
}

/** A key to change, locked, with the limits of the caller; or null. */
export async function loadManagedKey(
  tx: Tx,
  id: string,
  identity: Identity,
): Promise<ManagedKey | null> {
  // A key may manage itself, so it is read after locking, when both rows are the same.
  const [locked, grantor] = await Promise.all([lockKeyWithOffers(tx, id), grantorOf(tx, identity)]);
  return locked && { ...locked, grantor, version: locked.key.version };
}

/** A key to change, locked; or null. */
export async function lockKeyWithOffers(tx: Tx, id: string): Promise<LockedKey | null> {
  const [key, offers] = await Promise.all([
    lockKey(tx, id),
    findOpenOffers(tx, id, { withKeys: false }),
  ]);
  return key && { key, offers };
}

/** The limits of the caller of a request, as the grantor of new rights. */
export async function grantorOf(tx: Tx, { caller, scopes }: Identity): Promise<KeyGrantor> {
  if (caller.type === 'user') {
    // A person's only limit is their role.
    const bounds = { ...noLimits, scopes };
    return { bounds, grantableBounds: bounds };
  }
  const key = await findKey(tx, caller.id);
  if (!key) throw new Error('A key that was just checked does not exist. Keys are never deleted.');
  return { bounds: boundsOf(key), grantableBounds: grantableBoundsOf(key) };
}

const noLimits = {
  allowed_cidrs: [],
  expires_at: null,
  read_per_minute: null,
  write_per_minute: null,
} as const;

/**
 * Issues a key. Omitted fields are inherited from the grantor, whose limits the key cannot exceed. A
 * null grantor is the operator, who may grant anything.
 * @param isLast whether the transaction does nothing else
 * @returns the key and its secret, which is not stored
 * @throws Problem 403 beyond the grantor's limits, 422 for an invalid range or time
 */
export async function createKey(
  tx: Tx,
  origin: Origin,
  grantor: KeyGrantor | null,
  fields: KeyCreate & { read_per_minute?: number | null; write_per_minute?: number | null },
  { isLast = true } = {},
): Promise<{ key: ApiKey; secret: string }> {
  rejectInvalidFields(fields);
  const bounds = grantor?.grantableBounds ?? null;
  const values = {
    name: fields.name,
    scopes: fields.scopes,
    allowed_cidrs: fields.allowed_cidrs ?? [...(bounds?.allowed_cidrs ?? [])],
    expires_at:
      fields.expires_at === undefined ? (bounds?.expires_at ?? null) : parseTime(fields.expires_at),
    read_per_minute: fields.read_per_minute ?? bounds?.read_per_minute ?? null,
    write_per_minute: fields.write_per_minute ?? bounds?.write_per_minute ?? null,
  };
  rejectWiderBounds(bounds, values);
  const generated = newKey();
  const id = newId('key');
  await record(tx, origin, {
    type: 'access.api_key.created',
    resourceId: id,
    data: { name: values.name, prefix: generated.prefix, scopes: values.scopes },
  });
  sendInsert(tx, ApiKey, {
    projectId: origin.projectId,
    id,
    name: values.name,
    prefix: generated.prefix,
    keyHash: generated.hash,
    scopes: values.scopes,
    allowedCidrs: values.allowed_cidrs,
    expiresAt: values.expires_at,
    readPerMinute: values.read_per_minute,
    writePerMinute: values.write_per_minute,
    createdBy: origin.actor,
  });
  const readStored = (): Promise<ApiKey> =>
    tx.findOneByOrFail(ApiKey, { projectId: origin.projectId, id });
  const key = await (isLast ? commitWith(tx, readStored) : readStored());
  return { key, secret: generated.secret };
}

/**
 * Changes fields of a locked key, and ends the open invitations that the key may no longer grant. A
 * patch that changes nothing records nothing.
 * @throws Problem 403 if the key is or would be beyond the grantor's limits, 409 for a revoked key,
 *   422 for an invalid field
 */
export async function updateKey(
  tx: Tx,
  origin: Origin,
  grantor: KeyGrantor | null,
  { key, offers }: LockedKey,
  patch: KeyPatch,
): Promise<ApiKey> {
  rejectUnmanageable(grantor?.bounds ?? null, boundsOf(key));
  rejectInvalidFields(patch);
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
  rejectWiderBounds(grantor?.grantableBounds ?? null, {
    ...(changed.includes('scopes') ? { scopes: after.scopes } : {}),
    ...(changed.includes('allowed_cidrs') ? { allowed_cidrs: after.allowed_cidrs } : {}),
    ...(changed.includes('expires_at') ? { expires_at: parseTime(after.expires_at) } : {}),
  });
  await record(tx, origin, {
    type: 'access.api_key.updated',
    resourceId: key.id,
    data: { changed },
  });
  const where = { projectId: origin.projectId, id: key.id };
  sendUpdate(tx, ApiKey, where, {
    name: after.name,
    scopes: after.scopes,
    allowedCidrs: after.allowed_cidrs,
    expiresAt: parseTime(after.expires_at),
    version: nextVersion,
  });
  const { scopes, allowed_cidrs: allowedCidrs } = after;
  const changedKey = { ...key, scopes, allowedCidrs, expiresAt: parseTime(after.expires_at) };
  await endOffers(tx, origin, offers, grantableScopesOf(changedKey));
  return commitWith(tx, () => tx.findOneByOrFail(ApiKey, where));
}

/**
 * Revokes a locked key at once, in every process, and ends the open invitations made with it. A
 * revoked key stays revoked.
 * @throws Problem 403 for a key beyond the grantor's limits
 */
export async function revokeKey(
  tx: Tx,
  origin: Origin,
  grantor: KeyGrantor | null,
  { key, offers }: LockedKey,
): Promise<void> {
  rejectUnmanageable(grantor?.bounds ?? null, boundsOf(key));
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
 * but no longer than before. A key that replaces itself remains valid for at least a minute: the
 * response may be lost, and only the old key can repeat the request. Open invitations granted with the
 * old key end.
 * @returns the new key, its secret, and when the old one expires
 * @throws Problem 409 for a revoked or expired key, 403 for one beyond the grantor's limits
 */
export async function rollKey(
  tx: Tx,
  origin: Origin,
  grantor: KeyGrantor | null,
  { key, offers }: LockedKey,
  overlapSeconds: number,
): Promise<{ key: ApiKey; secret: string; oldEndsAt: Date }> {
  rejectUnmanageable(grantor?.bounds ?? null, boundsOf(key));
  if (key.state !== 'active') {
    throw new Problem('state_conflict', `The key is ${key.state}. Create a new one.`);
  }
  const creation = createKey(
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
  const where = { projectId: origin.projectId, id: key.id };
  const isSelf = origin.actor.type === 'api_key' && origin.actor.id === key.id;
  const overlap = isSelf ? Math.max(overlapSeconds, minSelfRollSeconds) : overlapSeconds;
  const endSql = 'LEAST(revoked_at, clock_timestamp() + make_interval(secs => :overlapSeconds))';
  const changes = { revokedAt: () => endSql, version: nextVersion };
  sendUpdate(tx, ApiKey, where, changes, { overlapSeconds: overlap });
  const [created, oldKey] = await Promise.all([creation, tx.findOneByOrFail(ApiKey, where)]);
  const oldEndsAt = keyEndsAt(oldKey)!;
  await record(tx, origin, {
    type: 'access.api_key.rolled',
    resourceId: key.id,
    data: {
      new_key_id: created.key.id,
      overlap_seconds: overlap,
      ends_at: oldEndsAt.toISOString(),
    },
  });
  // A rolled key has an expiry, and a key with an expiry cannot grant roles.
  await endOffers(tx, origin, offers, []);
  return { ...created, oldEndsAt };
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

/** The limits of what a key may grant: nothing that outlives it, even after a roll. */
function grantableBoundsOf(key: ApiKey): KeyBounds {
  return { ...boundsOf(key), expires_at: keyEndsAt(key) };
}

function parseTime(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function rejectInvalidFields(fields: KeyPatch): void {
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
  if (faults.length > 0) throw validationFailed(faults);
}
