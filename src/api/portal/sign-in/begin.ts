import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import {
  type EnteredPerson,
  type Joining,
  type OwnProject,
  projectsOf,
} from '../../../access/people/enter.ts';
import { inProject, inTransaction } from '../../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { addressOf } from '../../requests/headers.ts';
import type { PortalSessions } from '../session.ts';

/** The projects of a person, most recently used first. */
export function projectsFor({ database }: Deps, userId: string): Promise<OwnProject[]> {
  return inTransaction(database, (tx) => projectsOf(tx, userId));
}

/**
 * Starts a session for a person in a project, and redirects to the portal.
 * @throws Problem 403 without a project
 */
export async function begin(
  deps: Deps,
  sessions: PortalSessions,
  ctx: Context,
  { id, name }: EnteredPerson,
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
  const { cookie: made } = await inProject(deps.database, projectId, (tx) =>
    sessions.beginFor(tx, ctx, { caller, projectId }, address),
  );
  ctx.state.userId = id;
  ctx.state.projectId = projectId;
  ctx.append('Set-Cookie', made);
  ctx.status = 303;
  ctx.redirect('/portal/');
}

/** The origin of a sign-in. */
export function fromOf(deps: Deps, ctx: Context): Joining['from'] {
  return { address: addressOf(deps, ctx), requestId: String(ctx.state.requestId) };
}
