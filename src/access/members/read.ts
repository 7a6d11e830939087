import { presentActor } from '@scriptorium/contracts/origin';
import { type Role, scopesOf } from '@scriptorium/contracts/roles';
import type {
  InvitationRecord,
  InvitationState,
  MemberRecord,
} from '@scriptorium/contracts/wire/members';
import { type FindOptionsWhere, In, LessThan } from 'typeorm';
import { currentProject } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { Member } from '../../entities/access/member.ts';

/** A member as the API returns it. */
export function presentMember(member: Member): MemberRecord {
  return {
    id: member.id,
    project_id: member.projectId,
    user_id: member.userId,
    state: member.state,
    issuer: member.issuer,
    subject: member.subject,
    name: member.name,
    email: member.email,
    role: member.role,
    scopes: [...scopesOf(member.role)],
    source: member.source,
    created_at: member.createdAt.toISOString(),
    updated_at: member.updatedAt.toISOString(),
    version: member.version,
  };
}

/** The member of the current project, or null. */
export function findMember(tx: Tx, id: string): Promise<Member | null> {
  return tx.findOneBy(Member, { projectId: currentProject, id });
}

interface MemberFilters {
  role?: readonly Role[] | undefined;
  userId?: readonly string[] | undefined;
}

/** Up to `limit` members, newest first. */
export function listMembers(
  tx: Tx,
  { before, limit, ...filters }: MemberFilters & { before?: string | undefined; limit: number },
): Promise<Member[]> {
  const where = { ...matching(filters), ...(before !== undefined && { id: LessThan(before) }) };
  return tx.find(Member, { where, order: { id: 'DESC' }, take: limit });
}

/** The exact number of members. */
export function countMembers(tx: Tx, filters: MemberFilters): Promise<number> {
  return tx.countBy(Member, matching(filters));
}

function matching({ role, userId }: MemberFilters): FindOptionsWhere<Member> {
  return {
    projectId: currentProject,
    ...(role && { role: In(role) }),
    ...(userId && { userId: In(userId) }),
  };
}

/** An invitation as the API returns it. */
export function presentInvitation(invitation: Invitation): InvitationRecord {
  return {
    id: invitation.id,
    project_id: invitation.projectId,
    name: invitation.name,
    role: invitation.role,
    scopes: [...scopesOf(invitation.role)],
    state: invitation.state,
    created_by: presentActor(invitation.createdBy),
    accepted_by: invitation.acceptedBy,
    accepted_at: invitation.acceptedAt?.toISOString() ?? null,
    revoked_at: invitation.revokedAt?.toISOString() ?? null,
    expires_at: invitation.expiresAt.toISOString(),
    created_at: invitation.createdAt.toISOString(),
    version: invitation.version,
  };
}

/** The invitation of the current project, or null. */
export function findInvitation(tx: Tx, id: string): Promise<Invitation | null> {
  return tx.findOneBy(Invitation, { projectId: currentProject, id });
}

interface InvitationFilters {
  state?: readonly InvitationState[] | undefined;
}

/** Up to `limit` invitations, newest first. */
export function listInvitations(
  tx: Tx,
  { before, limit, ...filters }: InvitationFilters & { before?: string | undefined; limit: number },
): Promise<Invitation[]> {
  const where = { ...inState(filters), ...(before !== undefined && { id: LessThan(before) }) };
  return tx.find(Invitation, { where, order: { id: 'DESC' }, take: limit });
}

/** The exact number of invitations. */
export function countInvitations(tx: Tx, filters: InvitationFilters): Promise<number> {
  return tx.countBy(Invitation, inState(filters));
}

function inState({ state }: InvitationFilters): FindOptionsWhere<Invitation> {
  return { projectId: currentProject, ...(state && { state: In(state) }) };
}
