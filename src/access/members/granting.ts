import { limits } from '@scriptorium/contracts/limits';
import type { Actor, Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { grantsRole, type Role, scopesOf } from '@scriptorium/contracts/roles';
import { grants } from '@scriptorium/contracts/scopes';
import { In, IsNull, Raw } from 'typeorm';
import {
  clockTime,
  currentProject,
  nextVersion,
  sendDelete,
  sendUpdate,
} from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { ApiKey } from '../../entities/access/api-key.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { Member } from '../../entities/access/member.ts';
import { record } from '../../outbox/record.ts';
import type { Identity } from '../authenticate.ts';
import { findKey, keyEndsAt } from '../keys/read.ts';
import { lockMembers } from './member-queries.ts';

/** A caller that changes members. Its scopes limit the roles that it can grant. */
export interface RoleGrantor {
  scopes: readonly string[];
}

/**
 * The caller of a request, as a grantor of roles. A membership has no address ranges, expiry or rate
 * limits, so a key with such limits would grant more than it has.
 * @throws Problem 403 `key_limits_exceeded`
 */
export async function roleGrantorOf(tx: Tx, { caller, scopes }: Identity): Promise<RoleGrantor> {
  const key = caller.type === 'api_key' ? await findKey(tx, caller.id) : null;
  if (key && isBounded(key)) {
    throw new Problem(
      'key_limits_exceeded',
      'A key with IP address ranges, an expiry or reduced rate limits cannot change members or invitations.',
    );
  }
  return { scopes };
}

function isBounded(key: ApiKey): boolean {
  return (
    key.allowedCidrs.length > 0 ||
    keyEndsAt(key) !== null ||
    (key.readPerMinute ?? Infinity) < limits.read_requests_per_minute ||
    (key.writePerMinute ?? Infinity) < limits.write_requests_per_minute
  );
}

/** @throws Problem 403 for a role with scopes that the caller lacks */
export function rejectWiderRole(grantor: RoleGrantor, role: Role): void {
  if (grantsRole(grantor.scopes, role)) return;
  const detail = `A caller can grant and manage only roles within its scopes. The role \`${role}\` has more.`;
  throw new Problem('insufficient_scope', detail, {
    errors: [{ pointer: '/role', code: 'scope_not_held', detail }],
  });
}

/** Whether the person or key that granted a role in the current project still may. */
export async function mayStillGrant(tx: Tx, { type, id }: Actor, role: Role): Promise<boolean> {
  if (type === 'operator') return true;
  if (id === null) return false;
  if (type === 'api_key') return mayGrant(grantableScopesOf(await findKey(tx, id)), role);
  const active = { projectId: currentProject, userId: id, state: 'active' as const };
  const member = await tx.findOneBy(Member, active);
  return member !== null && mayGrant(scopesOf(member.role), role);
}

/** The scopes with which a key can grant roles. */
export function grantableScopesOf(key: ApiKey | null): readonly string[] {
  return key?.state === 'active' && !isBounded(key) ? key.scopes : [];
}

function mayGrant(scopes: readonly string[], role: Role): boolean {
  return grants(scopes, 'members:write') && grantsRole(scopes, role);
}

/** Invitations and memberships that a caller has granted and that are not accepted yet. */
export interface Offers {
  invitations: Invitation[];
  members: Member[];
}

/**
 * The open invitations and memberships that a key or person granted in the current project.
 * `includeKeys` adds those granted with the person's keys.
 */
export async function findOpenOffers(
  tx: Tx,
  creator: string,
  { withKeys }: { withKeys: boolean },
): Promise<Offers> {
  const byCreator = (column: string) =>
    Raw(() => `${column}->>'id' IN (${withKeys ? personAndKeysSql : 'SELECT :creator'})`, {
      creator,
    });
  const projectId = currentProject;
  const where = { projectId, acceptedAt: IsNull(), revokedAt: IsNull() };
  const [invitations, members] = await Promise.all([
    tx.findBy(Invitation, { ...where, createdBy: byCreator('created_by') }),
    tx.findBy(Member, { projectId, state: 'invited', grantedBy: byCreator('granted_by') }),
  ]);
  return { invitations, members };
}

/** A person, the keys that they have created, and the keys that such keys have created. */
const personAndKeysSql = `
  WITH RECURSIVE own AS (
    SELECT :creator::text COLLATE "C" AS id
    UNION SELECT k.id FROM own JOIN api_key k ON k.created_by->>'id' = own.id
    WHERE k.project_id = current_setting('app.project_id'))
  SELECT id FROM own`;

/**
 * Ends open invitations and memberships that their creators may no longer grant.
 * @param scopes the scopes with which the creators can still grant roles
 */
export async function endOffers(
  tx: Tx,
  origin: Origin,
  offers: Offers,
  scopes: readonly string[],
): Promise<void> {
  const isNoLongerGrantable = ({ role }: { role: Role }): boolean => !mayGrant(scopes, role);
  const invitationIds = offers.invitations.filter(isNoLongerGrantable).map(({ id }) => id);
  const memberIds = offers.members.filter(isNoLongerGrantable).map(({ id }) => id);
  if (invitationIds.length + memberIds.length === 0) return;
  await lockMembers(tx, origin.projectId);
  const { projectId } = origin;
  for (const invitation of await tx.findBy(Invitation, { projectId, id: In(invitationIds) })) {
    if (invitation.state === 'open') await endInvitation(tx, origin, invitation);
  }
  for (const member of await tx.findBy(Member, {
    projectId,
    id: In(memberIds),
    state: 'invited',
  })) {
    await deleteMember(tx, origin, member);
  }
}

/** Deletes a membership, after the project's members were locked. */
export async function deleteMember(tx: Tx, origin: Origin, member: Member): Promise<void> {
  const { projectId, id, userId, name, role, source } = member;
  const data = { user_id: userId, name, role, source };
  await record(tx, origin, { type: 'access.member.removed', resourceId: id, data });
  sendDelete(tx, Member, { projectId, id });
}

/** Ends an open invitation, after the project's members were locked. */
export async function endInvitation(tx: Tx, origin: Origin, invitation: Invitation): Promise<void> {
  const { projectId, id, role, expiresAt } = invitation;
  sendUpdate(tx, Invitation, { projectId, id }, { revokedAt: clockTime, version: nextVersion });
  const data = { role, expires_at: expiresAt.toISOString() };
  await record(tx, origin, { type: 'access.member.invitation_revoked', resourceId: id, data });
}
