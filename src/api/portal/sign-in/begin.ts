import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import {
  type JoinRequest,
  type MemberProject,
  projectsOf,
  type SignedInPerson,
} from '../../../access/people/sign-in.ts';
import { inProject, inTransaction } from '../../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { addressOf } from '../../requests/headers.ts';
import type { PortalSessions } from '../session.ts';

/** The projects of a person, most recently used first. */
export function listProjectsOf({ database }: Deps, userId: string): Promise<MemberProject[]> {
  return inTransaction(database, (tx) => projectsOf(tx, userId));
}

/**
 * Starts a session for a person in a project, and redirects to the portal.
 * @throws Problem 403 without a project
 */
export async function beginPortalSession(
  deps: Deps,
  sessions: PortalSessions,
  ctx: Context,
  { id, name }: SignedInPerson,
  projectId: string | undefined,
): Promise<void> {
  if (projectId === undefined) {
    throw new Problem(
      'membership_required',
      `${name}, you have signed in, but you are not a member of any project. Ask an administrator for an invitation.`,
    );
  }
  const caller = { type: 'user', id, name } as const;
  const address = addressOf(deps, ctx);
  const { cookie } = await inProject(deps.database, projectId, (tx) =>
    sessions.beginForPerson(tx, ctx, { caller, projectId }, address),
  );
  ctx.state.userId = id;
  ctx.state.projectId = projectId;
  ctx.append('Set-Cookie', cookie);
  ctx.status = 303;
  ctx.redirect('/portal/');
}

/** The origin of a sign-in. */
export function signInOrigin(deps: Deps, ctx: Context): JoinRequest['source'] {
  return { address: addressOf(deps, ctx), requestId: String(ctx.state.requestId) };
}
