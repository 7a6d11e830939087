import type { Origin } from '@scriptorium/contracts/origin';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { Role } from '@scriptorium/contracts/roles';
import type { Database } from '../../db/database.ts';
import { clockTime, nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import { inProject, inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { Member } from '../../entities/access/member.ts';
import { Project } from '../../entities/access/project.ts';
import { mayStillGrant } from '../members/granting.ts';
import { loadInvitation } from '../members/invitations.ts';
import { lockMembers } from '../members/member-queries.ts';
import {
  acceptMembership,
  endMembership,
  insertMember,
  loadMember,
  setRole,
} from '../members/members.ts';
import { isBeingDeleted } from '../project-deletions.ts';
import { type GroupRoles, roleFor } from './groups.ts';

/** A person, as described by an identity provider. */
export interface ProviderProfile {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  groups: readonly string[];
}

/** The invitation that a link refers to. */
export interface InvitationRef {
  projectId: string;
  id: string;
}

/** A person who has signed in. */
export interface SignedInPerson {
  id: string;
  name: string;
}

/** A project that a person is a member of. */
export interface MemberProject {
  id: string;
  name: string;
  role: Role;
}

/** The address and id of the request that signs in. */
type RequestSource = Pick<Origin, 'address' | 'requestId'>;

/** Records a sign-in, and applies the name, e-mail address and groups that the provider reports. */
export async function signInPerson(
  database: Database,
  profile: ProviderProfile,
  groupRoles: GroupRoles,
): Promise<SignedInPerson> {
  const { issuer, subject, name, email, groups } = profile;
  const id = await inTransaction(database, async (tx) => {
    const [row] = await prepared<{ id: string }>(
      tx,
      'SELECT sign_in_person($1, $2, $3, $4) AS id',
      [issuer, subject, name, email],
    );
    return row!.id;
  });
  for (const [projectId, roles] of groupRoles) {
    const role = roleFor(roles, groups);
    await inProject(database, projectId, (tx) => applyGroups(tx, projectId, profile, id, role));
  }
  return { id, name };
}

/** Memberships granted in the project itself stay unchanged. */
async function applyGroups(
  tx: Tx,
  projectId: string,
  { name, email }: ProviderProfile,
  userId: string,
  role: Role | null,
): Promise<void> {
  await lockMembers(tx, projectId);
  const member = await tx.findOneBy(Member, { projectId, userId });
  const origin = systemOrigin(projectId);
  if (!member || member.state === 'invited') {
    // The setting may name a project that does not exist yet, or was deleted.
    if (role === null || !(await tx.existsBy(Project, { id: projectId }))) return;
    if (await isBeingDeleted(tx, projectId)) return;
    if (member) await endMembership(tx, origin, member);
    await insertMember(tx, origin, { userId, role, source: 'groups', name, email });
  } else if (member.source === 'groups' && role === null) {
    await endMembership(tx, origin, member);
  } else if (member.source === 'groups' && role !== null && role !== member.role) {
    await setRole(tx, origin, member, role);
  }
}

/**
 * Rejects an invitation that cannot be accepted.
 * @throws Problem 410
 */
export async function checkInvitation(
  database: Database,
  invitationRef: InvitationRef,
): Promise<void> {
  await inProject(database, invitationRef.projectId, async (tx) => {
    await requireOpenInvitation(
      tx,
      await loadInvitation(tx, invitationRef.projectId, invitationRef.id),
    );
  });
}

/** A membership that a person can accept, as they see it. */
export interface Offer {
  /** The identifier of the invitation or membership. */
  id: string;
  project_id: string;
  project_name: string;
  role: Role;
}

/**
 * The membership that an invitation offers a person. If they are a member already, this is their
 * current membership.
 * @throws Problem 410 for an invitation that is no longer open
 */
export async function readOffer(
  database: Database,
  { projectId, id }: InvitationRef,
  userId: string,
): Promise<Offer> {
  return inProject(database, projectId, async (tx) => {
    const invitation = await loadInvitation(tx, projectId, id);
    const active = { projectId, userId, state: 'active' as const };
    const member = invitation && (await tx.findOneBy(Member, active));
    const { role } = member ?? (await requireOpenInvitation(tx, invitation));
    const { name } = await tx.findOneByOrFail(Project, { id: projectId });
    return { id, project_id: projectId, project_name: name, role };
  });
}

/** The memberships offered to a person that they have not accepted yet. */
export function listOffers(database: Database, userId: string): Promise<Offer[]> {
  return inTransaction(database, (tx) =>
    prepared<Offer>(tx, 'SELECT * FROM memberships_offered($1)', [userId]),
  );
}

/** A person who accepts or declines a membership, and the address and id of the request. */
export interface JoinRequest {
  person: SignedInPerson & { email: string | null };
  source: RequestSource;
}

function joinOrigin(projectId: string, { person: { id, name }, source }: JoinRequest): Origin {
  return { projectId, actor: { type: 'user', id, name }, ...source };
}

/**
 * Makes a person a member by an invitation, which can be used once. If the person is a member
 * already, nothing changes, whether or not the invitation is still open.
 * @throws Problem 410 for an invitation that is no longer open, or whose creator may no longer
 *   grant the role
 */
export async function acceptInvitation(
  database: Database,
  invitationRef: InvitationRef,
  joining: JoinRequest,
): Promise<void> {
  const { projectId } = invitationRef;
  await inProject(database, projectId, async (tx) => {
    const { id: userId, name, email } = joining.person;
    const invitation = await loadInvitation(tx, projectId, invitationRef.id);
    const member = await tx.findOneBy(Member, { projectId, userId });
    // The same invitation was accepted in another window, or by a commit whose response was lost.
    if (invitation && member?.state === 'active') return;
    const { role, createdBy: grantedBy } = await requireOpenInvitation(tx, invitation);
    const origin = joinOrigin(projectId, joining);
    if (member) await endMembership(tx, origin, member);
    const fields = { userId, role, source: 'invitation', name, email, grantedBy } as const;
    await insertMember(tx, origin, fields);
    sendUpdate(
      tx,
      Invitation,
      { projectId, id: invitationRef.id },
      { acceptedBy: userId, acceptedAt: clockTime, version: nextVersion },
    );
  });
}

/**
 * Accepts or declines a membership that was offered to a person. A membership that is no longer open is
 * left unchanged.
 * @throws Problem 410 if the person who granted the role no longer may
 */
export async function decideMembership(
  database: Database,
  { id, project_id: projectId }: Offer,
  joining: JoinRequest,
  decision: 'accept' | 'decline',
): Promise<void> {
  await inProject(database, projectId, async (tx) => {
    const member = await loadMember(tx, projectId, id);
    if (member?.userId !== joining.person.id || member.state !== 'invited') return;
    const origin = joinOrigin(projectId, joining);
    if (decision === 'decline') await endMembership(tx, origin, member);
    else await acceptMembership(tx, origin, member, joining.person);
  });
}

const closedDetails = {
  accepted:
    'The invitation was already used. If you used it, sign in without it. Otherwise ask for a new one.',
  revoked: 'The invitation was revoked. Ask for a new one.',
  expired: 'The invitation has expired. Ask for a new one.',
};

async function requireOpenInvitation(tx: Tx, invitation: Invitation | null): Promise<Invitation> {
  if (!invitation) throw new Problem('invitation_closed', 'The invitation is invalid.');
  const { state, createdBy, role } = invitation;
  if (state !== 'open') throw new Problem('invitation_closed', closedDetails[state]);
  if (await mayStillGrant(tx, createdBy, role)) return invitation;
  throw new Problem('invitation_closed', closedDetails.revoked);
}

/** The projects of a person, most recently used first. */
export function projectsOf(tx: Tx, userId: string): Promise<MemberProject[]> {
  return prepared<MemberProject>(tx, 'SELECT id, name, role FROM projects_of($1)', [userId]);
}
