import { newId } from '../../contracts/ids.ts';
import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { pluralise } from '../../contracts/pluralise.ts';
import { Problem } from '../../contracts/problems.ts';
import type { InvitationCreate } from '../../contracts/wire/members.ts';
import { clockTime, nextVersion, sendInsert, sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { record } from '../../outbox/record.ts';
import { lockMembers, refuseWiderRole } from './members.ts';
import { countInvitations, findInvitation } from './read.ts';

/**
 * Creates an invitation.
 * @throws Problem 403 for a role wider than the caller's, 409 if too many are open
 */
export async function createInvitation(
  tx: Tx,
  origin: Origin,
  grantor: { scopes: readonly string[] },
  { role, name = null }: InvitationCreate,
): Promise<Invitation> {
  refuseWiderRole(grantor, role);
  const { projectId, actor } = origin;
  await lockMembers(tx, projectId);
  const most = limits.open_invitations_per_project;
  if ((await countInvitations(tx, { state: ['open'] })) >= most) {
    const detail = `The project already has ${pluralise(most, 'open invitation')}, the maximum. Revoke one first.`;
    throw new Problem('state_conflict', detail, { extra: { limit: most } });
  }
  const id = newId('invitation');
  sendInsert(tx, Invitation, {
    projectId,
    id,
    name,
    role,
    createdBy: actor,
    expiresAt: () => `now() + interval '${limits.invitation_days} days'`,
  });
  const made = await tx.findOneByOrFail(Invitation, { projectId, id });
  await record(tx, origin, { type: 'access.member.invited', resourceId: id, data: factsOf(made) });
  return made;
}

/** The invitation to change, after locking the project's members; or null. */
export async function loadInvitation(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<Invitation | null> {
  await lockMembers(tx, projectId);
  return findInvitation(tx, id);
}

/**
 * Revokes an invitation, after the project's members were locked. One that is no longer open stays as it
 * is.
 * @throws Problem 403 for one to a role wider than the caller's, 409 if it was accepted
 */
export async function revokeInvitation(
  tx: Tx,
  origin: Origin,
  grantor: { scopes: readonly string[] },
  invitation: Invitation,
): Promise<void> {
  refuseWiderRole(grantor, invitation.role);
  if (invitation.state === 'accepted') {
    throw new Problem('state_conflict', 'The invitation was accepted. Remove the member instead.');
  }
  if (invitation.state !== 'open') return;
  const { projectId, id } = invitation;
  sendUpdate(tx, Invitation, { projectId, id }, { revokedAt: clockTime, version: nextVersion });
  const data = factsOf(invitation);
  await record(tx, origin, { type: 'access.member.invitation_revoked', resourceId: id, data });
}

function factsOf({ role, expiresAt }: Invitation) {
  return { role, expires_at: expiresAt.toISOString() };
}
