import { compile } from '@scriptorium/contracts/helpers/validator';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import {
  acceptInvitation,
  decideMembership,
  type Invited,
  type Joining,
  type Offer,
  offerOf,
  offersTo,
} from '../../../access/people/enter.ts';
import { readInvitation } from '../../../access/people/invitation-link.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import type { Deps } from '../../deps.ts';
import { cookieHeader, readCookie } from '../../frame/answers/cookie.ts';
import { rejectOtherSites } from '../../requests/same-site.ts';
import type { PortalSessions } from '../session.ts';
import { begin, fromOf, projectsFor } from './begin.ts';
import { failed } from './failed.ts';
import { askToJoin } from './page.ts';

/** Strict: the answer comes from the page itself. */
const ownCookie = {
  name: 'portal_join',
  prefix: '__Host-',
  path: '/portal/sign-in',
  sameSite: 'Strict',
} as const;
/** How long a person may take to answer. */
const seconds = 600;

type Person = Joining['person'];

/** The sealed data in the browser of a person who is asked which projects to join. */
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
export function invitationIn({ signer }: Deps, token: string): Invited {
  const invited = readInvitation(signer, token);
  if (!invited) throw new Problem('invitation_closed', 'The invitation is invalid.');
  return invited;
}

/** Asks a person who has signed in whether to accept an invitation. */
export async function askInvited(
  deps: Deps,
  ctx: Context,
  person: Person,
  invitation: string,
): Promise<void> {
  const offer = await offerOf(deps.database, invitationIn(deps, invitation), person.id);
  remember(deps, ctx, person, invitation);
  ctx.status = 200;
  askToJoin(ctx, { person, offers: [offer], canDecline: false });
}

/** Asks a person who has signed in which of the offered memberships to accept. */
export function askOffered(deps: Deps, ctx: Context, person: Person, offers: Offer[]): void {
  remember(deps, ctx, person, null);
  ctx.remove('Location');
  ctx.status = 200;
  askToJoin(ctx, { person, offers, canDecline: true });
}

/**
 * Applies a person's decision on the page: joins a project and begins a session in it, or declines.
 * @throws Problem 403 for a form of another site, 410 if the offer is no longer open
 */
export async function join(deps: Deps, sessions: PortalSessions, ctx: Context): Promise<void> {
  if (ctx.method !== 'POST') {
    throw new Problem('method_not_allowed', 'The method must be POST.', {
      headers: { Allow: 'POST' },
    });
  }
  rejectOtherSites(ctx);
  const contents = openCookie(deps, readCookie(ctx, ownCookie));
  if (!contents)
    throw failed('It took too long, or was started in another browser. Sign in again.');
  const { person, invitation } = contents;
  const joining = { person, from: fromOf(deps, ctx) };
  const asked = new URLSearchParams(ctx.querystring);
  const accepted = asked.get('accept');
  if (invitation !== null) {
    const invited = invitationIn(deps, invitation);
    if (accepted !== invited.id) throw notOffered();
    await acceptInvitation(deps.database, invited, joining);
    return enter(deps, sessions, ctx, person, invited.projectId);
  }
  const offers = await offersTo(deps.database, person.id);
  const offer = offers.find(({ id }) => id === (accepted ?? asked.get('decline')));
  if (!offer) throw notOffered();
  const decision = accepted === null ? 'decline' : 'accept';
  await decideMembership(deps.database, offer, joining, decision);
  if (decision === 'accept') return enter(deps, sessions, ctx, person, offer.project_id);
  const others = offers.filter((one) => one !== offer);
  if (others.length > 0) return askOffered(deps, ctx, person, others);
  const [first] = await projectsFor(deps, person.id);
  return enter(deps, sessions, ctx, person, first?.id);
}

async function enter(
  deps: Deps,
  sessions: PortalSessions,
  ctx: Context,
  person: Person,
  projectId: string | undefined,
): Promise<void> {
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...ownCookie, value: '', maxAge: 0, secure: ctx.secure }),
  );
  await begin(deps, sessions, ctx, person, projectId);
}

function notOffered(): Problem {
  return new Problem('invitation_closed', 'This choice is no longer available. Sign in again.');
}

function remember(
  { seal }: Deps,
  ctx: Context,
  { id, name, email }: Person,
  invitation: string | null,
): void {
  const until = postgresTime() + seconds * 1_000;
  const contents: Contents = { person: { id, name, email }, invitation, until };
  const value = seal.seal(JSON.stringify(contents), [ownCookie.name]);
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...ownCookie, value, maxAge: seconds, secure: ctx.secure }),
  );
}

function openCookie({ seal }: Deps, value: string | undefined): Contents | null {
  if (!value) return null;
  try {
    const contents: unknown = JSON.parse(seal.open(value, [ownCookie.name]));
    return isContents(contents) && contents.until > postgresTime() ? contents : null;
  } catch {
    // Sealed by another service, or with a removed key.
    return null;
  }
}
