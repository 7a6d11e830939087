import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { pluralise } from '@scriptorium/contracts/pluralise';
import { Problem } from '@scriptorium/contracts/problems';
import type { InvitationCreate } from '@scriptorium/contracts/wire/members';
import { sendInsert } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Invitation } from '../../entities/access/invitation.ts';
import { record } from '../../outbox/record.ts';
import { endInvitation, type RoleGrantor, rejectWiderRole } from './granting.ts';
import { lockMembers } from './member-queries.ts';
import { countInvitations, findInvitation } from './read.ts';

/**
 * Creates an invitation.
 * @throws Problem 403 for a role wider than the caller's, 409 if too many are open
 */
export async function createInvitation(
  tx: Tx,
  origin: Origin,
  grantor: RoleGrantor,
  { role, name = null }: InvitationCreate,
): Promise<Invitation> {
  rejectWiderRole(grantor, role);
  const { projectId, actor } = origin;
  const max = limits.open_invitations_per_project;
  const [, openCount] = await Promise.all([
    lockMembers(tx, projectId),
    countInvitations(tx, { state: ['open'] }),
  ]);
  if (openCount >= max) {
    const detail = `The project already has ${pluralise(max, 'open invitation')}, the maximum. Revoke one first.`;
    throw new Problem('state_conflict', detail, { extra: { limit: max } });
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
  const invitation = await tx.findOneByOrFail(Invitation, { projectId, id });
  const data = { role, expires_at: invitation.expiresAt.toISOString() };
  await record(tx, origin, { type: 'access.member.invited', resourceId: id, data });
  return invitation;
}

/** The invitation to change, after locking the project's members; or null. */
export async function loadInvitation(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<Invitation | null> {
  const [, invitation] = await Promise.all([lockMembers(tx, projectId), findInvitation(tx, id)]);
  return invitation;
}

/**
 * Revokes an invitation, after the project's members were locked. An invitation that is revoked or
 * expired is left unchanged.
 * @throws Problem 403 for a role wider than the caller's, 409 if the invitation was accepted
 */
export async function revokeInvitation(
  tx: Tx,
  origin: Origin,
  grantor: RoleGrantor,
  invitation: Invitation,
): Promise<void> {
  rejectWiderRole(grantor, invitation.role);
  if (invitation.state === 'accepted') {
    throw new Problem('state_conflict', 'The invitation was accepted. Remove the member instead.');
  }
  if (invitation.state !== 'open') return;
  await endInvitation(tx, origin, invitation);
}
