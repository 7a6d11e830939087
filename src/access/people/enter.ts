import type { Origin } from '../../contracts/origin.ts';
import { systemOrigin } from '../../contracts/origin.ts';
import { Problem } from '../../contracts/problems.ts';
import type { Role } from '../../contracts/roles.ts';
import type { Database } from '../../db/database.ts';
import { clockTime, nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import { inProject, inTransaction, prepared, type Tx } from '../../db/transaction.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { Member } from '../../entities/access/member.ts';
import { Project } from '../../entities/access/project.ts';
import { mayStillGrant } from '../members/granting.ts';
import { loadInvitation } from '../members/invitations.ts';
import { lockMembers } from '../members/lock.ts';
import { endMembership, insertMember, setRole } from '../members/members.ts';
import { type GroupRoles, roleFor } from './groups.ts';

/** A person, as an identity provider vouches for them. */
export interface VouchedPerson {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  groups: readonly string[];
}

/** An invitation, as its link names it. */
export interface Invited {
  projectId: string;
  id: string;
}

/** A person who has signed in. */
export interface EnteredPerson {
  id: string;
  name: string;
}

/** A project that a person is a member of. */
export interface OwnProject {
  id: string;
  name: string;
  role: Role;
}

/** Where a sign-in comes from. */
type From = Pick<Origin, 'address' | 'requestId'>;

/** Notes a sign-in, and applies what the provider says of the person: name, e-mail address and groups. */
export async function enterPerson(
  database: Database,
  person: VouchedPerson,
  groupRoles: GroupRoles,
): Promise<EnteredPerson> {
  const { issuer, subject, name, email, groups } = person;
  const id = await inTransaction(database, async (tx) => {
    const [row] = await prepared<{ id: string }>(
      tx,
      'SELECT sign_in_person($1, $2, $3, $4) AS id',
      [...[issuer, subject, name, email]],
    );
    return row!.id;
  });
  for (const [projectId, mapped] of groupRoles) {
    const role = roleFor(mapped, groups);
    await inProject(database, projectId, (tx) => applyGroups(tx, projectId, person, id, role));
  }
  return { id, name };
}

/** Memberships that were granted in the project itself stay as they are. */
async function applyGroups(
  tx: Tx,
  projectId: string,
  { name, email }: VouchedPerson,
  userId: string,
  role: Role | null,
): Promise<void> {
  await lockMembers(tx, projectId);
  const member = await tx.findOneBy(Member, { projectId, userId });
  const origin = systemOrigin(projectId);
  if (!member) {
    // A project may be named before it exists, or after it was deleted.
    if (role === null || !(await tx.existsBy(Project, { id: projectId }))) return;
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
export async function requireOpen(database: Database, invited: Invited): Promise<void> {
  await inProject(database, invited.projectId, async (tx) => {
    await refuseClosed(tx, await loadInvitation(tx, invited.projectId, invited.id));
  });
}

/**
 * Makes a person a member by an invitation, which is used up. If the person is a member already, nothing
 * changes, whether or not the invitation is still open.
 * @throws Problem 410 for an invitation that is no longer open, or whose creator may no longer grant the role
 */
export async function acceptInvitation(
  database: Database,
  invited: Invited,
  person: EnteredPerson & { email: string | null },
  from: From,
): Promise<void> {
  const { projectId } = invited;
  await inProject(database, projectId, async (tx) => {
    const { id: userId, name, email } = person;
    const invitation = await loadInvitation(tx, projectId, invited.id);
    // By this very invitation, in another window or if the commit was not confirmed.
    if (invitation && (await tx.existsBy(Member, { projectId, userId }))) return;
    const { role } = await refuseClosed(tx, invitation);
    const origin = { projectId, actor: { type: 'user' as const, id: userId, name }, ...from };
    await insertMember(tx, origin, { userId, role, source: 'invitation', name, email });
    sendUpdate(
      tx,
      Invitation,
      { projectId, id: invited.id },
      { acceptedBy: userId, acceptedAt: clockTime, version: nextVersion },
    );
  });
}

const closed = {
  accepted:
    'The invitation was already used. If you used it, sign in without it. Otherwise ask for a new one.',
  revoked: 'The invitation was revoked. Ask for a new one.',
  expired: 'The invitation has expired. Ask for a new one.',
};

async function refuseClosed(tx: Tx, invitation: Invitation | null): Promise<Invitation> {
  if (!invitation) throw new Problem('invitation_closed', 'The invitation is invalid.');
  const { state, createdBy, role } = invitation;
  if (state !== 'open') throw new Problem('invitation_closed', closed[state]);
  if (await mayStillGrant(tx, createdBy, role)) return invitation;
  throw new Problem('invitation_closed', closed.revoked);
}

/** The projects of a person, the last used first. */
export function projectsOf(tx: Tx, userId: string): Promise<OwnProject[]> {
  return prepared<OwnProject>(tx, 'SELECT id, name, role FROM projects_of($1)', [userId]);
}
