import { compile } from '@scriptorium/contracts/helpers/validator';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import { parseInvitationToken } from '../../../access/people/invitation-link.ts';
import {
  acceptInvitation,
  decideMembership,
  type InvitationRef,
  type JoinRequest,
  listOffers,
  type Offer,
  readOffer,
} from '../../../access/people/sign-in.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import type { Deps } from '../../deps.ts';
import { cookieHeader, readCookie } from '../../frame/responses/cookie.ts';
import { rejectCrossOriginChange } from '../../requests/same-site.ts';
import type { PortalSessions } from '../session.ts';
import { beginPortalSession, listProjectsOf, signInOrigin } from './begin.ts';
import { askToJoin } from './page.ts';
import { signInFailed } from './sign-in-failed.ts';

/** Strict, because only the page itself sends the answer. */
const joinCookie = {
  name: 'portal_join',
  prefix: '__Host-',
  path: '/portal/sign-in',
  sameSite: 'Strict',
} as const;
/** How long a person may take to answer. */
const maxAnswerSeconds = 600;

type Person = JoinRequest['person'];

/** The encrypted cookie of a person who is asked which projects to join. */
const Contents = Type.Object({
  person: Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
  }),
  invitation: Type.Union([Type.String(), Type.Null()]),
  until: Type.Integer(),
});
type Contents = Static<typeof Contents>;
const isContents = compile(Contents);

/** The invitation in a link. @throws Problem 410 for an invalid token */
export function requireInvitation({ signer }: Deps, token: string): InvitationRef {
  const invited = parseInvitationToken(signer, token);
  if (!invited) throw new Problem('invitation_closed', 'The invitation is invalid.');
  return invited;
}

/** Asks a person who has signed in whether to accept an invitation. */
export async function askToAcceptInvitation(
  deps: Deps,
  ctx: Context,
  person: Person,
  invitation: string,
): Promise<void> {
  const offer = await readOffer(deps.database, requireInvitation(deps, invitation), person.id);
  setJoinCookie(deps, ctx, person, invitation);
  ctx.status = 200;
  askToJoin(ctx, { person, offers: [offer], canDecline: false });
}

/** Asks a person who has signed in which of the offered memberships to accept. */
export function askToAcceptOffers(deps: Deps, ctx: Context, person: Person, offers: Offer[]): void {
  setJoinCookie(deps, ctx, person, null);
  ctx.remove('Location');
  ctx.status = 200;
  askToJoin(ctx, { person, offers, canDecline: true });
}

/**
 * Applies a person's decision on the page: joins a project and begins a session in it, or declines.
 * @throws Problem 403 for a form of another site, 410 if the offer is no longer open
 */
export async function handleJoin(
  deps: Deps,
  sessions: PortalSessions,
  ctx: Context,
): Promise<void> {
  if (ctx.method !== 'POST') {
    throw new Problem('method_not_allowed', 'The method must be POST.', {
      headers: { Allow: 'POST' },
    });
  }
  rejectCrossOriginChange(ctx);
  const contents = openCookie(deps, readCookie(ctx, joinCookie));
  if (!contents)
    throw signInFailed('It took too long, or was started in another browser. Sign in again.');
  const { person, invitation } = contents;
  const joining = { person, source: signInOrigin(deps, ctx) };
  const query = new URLSearchParams(ctx.querystring);
  const acceptedId = query.get('accept');
  if (invitation !== null) {
    const invited = requireInvitation(deps, invitation);
    if (acceptedId !== invited.id) throw offerClosed();
    await acceptInvitation(deps.database, invited, joining);
    return beginSessionIn(deps, sessions, ctx, person, invited.projectId);
  }
  const offers = await listOffers(deps.database, person.id);
  const offer = offers.find(({ id }) => id === (acceptedId ?? query.get('decline')));
  if (!offer) throw offerClosed();
  const decision = acceptedId === null ? 'decline' : 'accept';
  await decideMembership(deps.database, offer, joining, decision);
  if (decision === 'accept') return beginSessionIn(deps, sessions, ctx, person, offer.project_id);
  const remainingOffers = offers.filter((one) => one !== offer);
  if (remainingOffers.length > 0) return askToAcceptOffers(deps, ctx, person, remainingOffers);
  const [first] = await listProjectsOf(deps, person.id);
  return beginSessionIn(deps, sessions, ctx, person, first?.id);
}

async function beginSessionIn(
  deps: Deps,
  sessions: PortalSessions,
  ctx: Context,
  person: Person,
  projectId: string | undefined,
): Promise<void> {
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...joinCookie, value: '', maxAge: 0, secure: ctx.secure }),
  );
  await beginPortalSession(deps, sessions, ctx, person, projectId);
}

function offerClosed(): Problem {
  return new Problem('invitation_closed', 'This choice is no longer available. Sign in again.');
}

function setJoinCookie(
  { seal }: Deps,
  ctx: Context,
  { id, name, email }: Person,
  invitation: string | null,
): void {
  const until = postgresTime() + maxAnswerSeconds * 1_000;
  const contents: Contents = { person: { id, name, email }, invitation, until };
  const value = seal.seal(JSON.stringify(contents), [joinCookie.name]);
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...joinCookie, value, maxAge: maxAnswerSeconds, secure: ctx.secure }),
  );
}

function openCookie({ seal }: Deps, value: string | undefined): Contents | null {
  if (!value) return null;
  try {
    const contents: unknown = JSON.parse(seal.open(value, [joinCookie.name]));
    return isContents(contents) && contents.until > postgresTime() ? contents : null;
  } catch {
    // Encrypted by another service, or with a key that was removed.
    return null;
  }
}
