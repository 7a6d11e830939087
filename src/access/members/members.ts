import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import { grantsRole, type Role, scopesOf } from '@scriptorium/contracts/roles';
import type { MemberCreate } from '@scriptorium/contracts/wire/members';
import { clockTime, nextVersion, sendInsert, sendUpdate } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Member } from '../../entities/access/member.ts';
import { record } from '../../outbox/record.ts';
import { endSessionsOfPerson } from '../portal-sessions.ts';
import {
  deleteMember,
  endOffers,
  findOpenOffers,
  mayStillGrant,
  type RoleGrantor,
  rejectWiderRole,
} from './granting.ts';
import { lockMembers } from './member-queries.ts';
import { findMember } from './read.ts';

/** The member to change, after locking the project's members; or null. */
export async function loadMember(tx: Tx, projectId: string, id: string): Promise<Member | null> {
  const [, member] = await Promise.all([lockMembers(tx, projectId), findMember(tx, id)]);
  return member;
}

/**
 * Offers a person a membership, whether or not they have signed in before.
 * @throws Problem 403 for a role wider than the caller's, 409 if the person is a member already or
 *   the project has the maximum
 */
export async function addMember(
  tx: Tx,
  origin: Origin,
  grantor: RoleGrantor,
  fields: MemberCreate,
): Promise<Member> {
  rejectWiderRole(grantor, fields.role);
  const [, [person]] = await Promise.all([
    lockMembers(tx, origin.projectId),
    prepared<{ id: string }>(tx, 'SELECT person_of($1, $2) AS id', [fields.issuer, fields.subject]),
  ]);
  const userId = person!.id;
  if (await tx.existsBy(Member, { projectId: origin.projectId, userId })) {
    const detail = 'The person is already a member.';
    throw new Problem('already_exists', `${detail} Change the role of the membership instead.`, {
      errors: [{ pointer: '/subject', code: 'already_exists', detail }],
    });
  }
  const { issuer, subject, role, name = null, email = null } = fields;
  const invited = { state: 'invited', issuer, subject, grantedBy: origin.actor } as const;
  return insertMember(tx, origin, { userId, role, source: 'added', name, email, ...invited });
}

/**
 * Inserts a membership, after the project's members were locked.
 * @throws Problem 409 if the project has the maximum
 */
export async function insertMember(
  tx: Tx,
  origin: Origin,
  fields: Pick<Member, 'userId' | 'role' | 'source' | 'name' | 'email'> & Partial<Member>,
): Promise<Member> {
  const { projectId } = origin;
  const max = limits.members_per_project;
  if ((await tx.countBy(Member, { projectId })) >= max) {
    const detail = `The project already has ${pluralise(max, 'member')}, the maximum.`;
    throw new Problem('state_conflict', detail, { extra: { limit: max } });
  }
  const id = newId('member');
  const { userId, role, source, name } = fields;
  const data = { user_id: userId, name, role, source };
  await record(tx, origin, { type: 'access.member.added', resourceId: id, data });
  sendInsert(tx, Member, { projectId, id, ...fields });
  return tx.findOneByOrFail(Member, { projectId, id });
}

/**
 * Changes the role of a member, after the project's members were locked. It applies from the next
 * request on, in every process.
 * @throws Problem 403 for a role wider than the caller's, before or after; 409 for the last admin,
 *   and for a member whose role the identity provider sets
 */
export async function changeRole(
  tx: Tx,
  origin: Origin,
  grantor: RoleGrantor,
  member: Member,
  role: Role,
): Promise<Member> {
  rejectWiderRole(grantor, member.role);
  rejectWiderRole(grantor, role);
  if (member.source === 'groups') {
    throw new Problem(
      'state_conflict',
      'The identity provider sets the role of this member through groups. Change the groups in the identity provider.',
    );
  }
  if (member.role === role) return member;
  await rejectLastAdmin(tx, member);
  return setRole(tx, origin, member, role);
}

/**
 * Changes the role of a member, after the project's members were locked. A narrower role ends open
 * invitations and memberships that the person granted, directly or through their keys.
 */
export async function setRole(tx: Tx, origin: Origin, member: Member, role: Role): Promise<Member> {
  const { projectId, id, userId, name, source } = member;
  const data = { user_id: userId, name, from: member.role, to: role, source };
  await record(tx, origin, { type: 'access.member.role_changed', resourceId: id, data });
  const change = { role, grantedBy: origin.actor, updatedAt: clockTime, version: nextVersion };
  sendUpdate(tx, Member, { projectId, id }, change);
  if (!grantsRole(scopesOf(role), member.role)) {
    const offers = await findOpenOffers(tx, userId, { withKeys: true });
    await endOffers(tx, origin, offers, scopesOf(role));
  }
  return tx.findOneByOrFail(Member, { projectId, id });
}

/**
 * Removes a member, after the project's members were locked.
 * @throws Problem 403 for a member with a wider role, 409 for the last admin
 */
export async function removeMember(
  tx: Tx,
  origin: Origin,
  grantor: RoleGrantor,
  member: Member,
): Promise<void> {
  rejectWiderRole(grantor, member.role);
  await rejectLastAdmin(tx, member);
  await endMembership(tx, origin, member);
}

/**
 * Ends a membership, the person's sessions in the project, and the unaccepted invitations and
 * memberships that they granted directly or through their keys. The project's members must be
 * locked.
 */
export async function endMembership(tx: Tx, origin: Origin, member: Member): Promise<void> {
  await deleteMember(tx, origin, member);
  if (member.state === 'invited') return;
  endSessionsOfPerson(tx, member.projectId, member.userId);
  await endOffers(tx, origin, await findOpenOffers(tx, member.userId, { withKeys: true }), []);
}

/**
 * Activates a membership that a person wants to accept, after the project's members were locked.
 * @throws Problem 410 if the person who granted the role no longer may
 */
export async function acceptMembership(
  tx: Tx,
  origin: Origin,
  member: Member,
  { name, email }: Pick<Member, 'name' | 'email'>,
): Promise<void> {
  const { projectId, id, userId, role, source, grantedBy } = member;
  if (!grantedBy || !(await mayStillGrant(tx, grantedBy, role))) {
    const detail = 'The person who added you can no longer add members. Ask for an invitation.';
    throw new Problem('invitation_closed', detail);
  }
  const data = { user_id: userId, name, role, source };
  await record(tx, origin, { type: 'access.member.accepted', resourceId: id, data });
  const change = { state: 'active' as const, name, email };
  sendUpdate(
    tx,
    Member,
    { projectId, id },
    { ...change, updatedAt: clockTime, version: nextVersion },
  );
}

async function rejectLastAdmin(tx: Tx, { projectId, role, state }: Member): Promise<void> {
  if (role !== 'admin' || state === 'invited') return;
  if ((await tx.countBy(Member, { projectId, role, state })) > 1) return;
  throw new Problem(
    'last_admin',
    'The member is the last admin of the project. Make another member an admin first.',
  );
}
