import { timingSafeEqual } from 'node:crypto';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { SignInOptions } from '@scriptorium/contracts/wire/portal';
import type { Context, Middleware } from 'koa';
import { type Static, Type } from 'typebox';
import { localPerson } from '../../../access/people/local-person.ts';
import {
  checkInvitation,
  decideMembership,
  listOffers,
  type ProviderProfile,
  signInPerson,
} from '../../../access/people/sign-in.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import type { Deps } from '../../deps.ts';
import { publicOrigin } from '../../downloads/signed-urls.ts';
import { requireGetOrHead } from '../../downloads/static-files.ts';
import { cookieHeader, readCookie } from '../../frame/responses/cookie.ts';
import { toProblem } from '../../frame/responses/problem.ts';
import { addressOf } from '../../requests/headers.ts';
import type { PortalSessions } from '../session.ts';
import { beginPortalSession, listProjectsOf, signInOrigin } from './begin.ts';
import { askToAcceptInvitation, askToAcceptOffers, handleJoin, requireInvitation } from './join.ts';
import { joinPath, showSignInProblem } from './page.ts';
import { finishSignIn, startSignIn, startSignOut } from './provider.ts';
import { signInFailed } from './sign-in-failed.ts';

const signInPath = '/portal/sign-in';
const callbackPath = `${signInPath}/callback`;
const optionsPath = `${signInPath}/options`;
const localPath = `${signInPath}/local`;
const signOutPath = '/portal/sign-out';
/** Lax, unlike the session cookie: it must be sent when the provider redirects the browser back. */
const signInCookie = {
  name: 'portal_sign_in',
  prefix: '__Host-',
  path: signInPath,
  sameSite: 'Lax',
} as const;
/** The maximum time that a person may spend at the provider. */
const maxSignInSeconds = 600;

/** The encrypted cookie of a sign-in in progress. */
const Contents = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  invitation: Type.Union([Type.String(), Type.Null()]),
  until: Type.Integer(),
});
type Contents = Static<typeof Contents>;
const isContents = compile(Contents);

/**
 * Signs people in, at `/portal/sign-in`: to the identity provider and back, or as the local person
 * of development. Errors are shown on a page, because the browser navigates to these paths.
 */
export function createSignIn(deps: Deps, sessions: PortalSessions): Middleware {
  const steps: Record<string, (ctx: Context) => Promise<void>> = {
    [signInPath]: (ctx) => start(deps, ctx),
    [callbackPath]: (ctx) => finish(deps, sessions, ctx),
    [optionsPath]: (ctx) => sendOptions(deps, ctx),
    [localPath]: (ctx) => signInLocally(deps, sessions, ctx),
    [signOutPath]: (ctx) => signOut(deps, ctx),
    [joinPath]: (ctx) => handleJoin(deps, sessions, ctx),
  };
  return async (ctx, next) => {
    const step = steps[ctx.path];
    if (!step) return next();
    ctx.state.operation = 'signIn';
    if (ctx.path !== joinPath) requireGetOrHead(ctx);
    try {
      requireSignInRate(deps, ctx);
      await step(ctx);
    } catch (error) {
      const problem = toProblem(error);
      if (!problem) throw error;
      const { code } = problem;
      deps.logger.info({ code, request_id: ctx.state.requestId }, 'sign-in failed');
      showSignInProblem(ctx, problem);
    }
  };
}

/** The ways to sign in, for the portal's page. */
async function sendOptions({ settings }: Deps, ctx: Context): Promise<void> {
  const options: SignInOptions = { provider: settings.signIn?.name ?? null };
  ctx.body = JSON.stringify(options);
  ctx.set('Content-Type', 'application/json');
}

async function start(deps: Deps, ctx: Context): Promise<void> {
  const { signIn } = deps.settings;
  const token = new URLSearchParams(ctx.querystring).get('invitation');
  const invited = token === null ? null : requireInvitation(deps, token);
  if (!signIn) {
    throw signInFailed(
      'This service has no identity provider. Sign in with a project and an API key.',
    );
  }
  if (invited) await checkInvitation(deps.database, invited);
  const { url, checks } = await startSignIn(signIn, redirectUriFor(deps, ctx));
  const contents: Contents = {
    ...checks,
    invitation: token,
    until: postgresTime() + maxSignInSeconds * 1_000,
  };
  const value = deps.seal.seal(JSON.stringify(contents), ['portal_sign_in']);
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...signInCookie, value, maxAge: maxSignInSeconds, secure: ctx.secure }),
  );
  ctx.status = 303;
  ctx.redirect(url.href);
}

async function finish(deps: Deps, sessions: PortalSessions, ctx: Context): Promise<void> {
  const { signIn } = deps.settings;
  const contents = openCookie(deps, readCookie(ctx, signInCookie));
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...signInCookie, value: '', maxAge: 0, secure: ctx.secure }),
  );
  if (!signIn || !contents) {
    throw signInFailed('The sign-in took too long, or was started in another browser.');
  }
  const callbackUrl = new URL(redirectUriFor(deps, ctx));
  callbackUrl.search = ctx.search;
  const person = await finishSignIn(signIn, callbackUrl, contents);
  const signedInPerson = {
    ...(await signInPerson(deps.database, person, signIn.groupRoles)),
    email: person.email,
  };
  // Opening the link of an invitation does not add the person: they are asked first.
  if (contents.invitation !== null)
    return askToAcceptInvitation(deps, ctx, signedInPerson, contents.invitation);
  const projects = await listProjectsOf(deps, signedInPerson.id);
  const offers = await listOffers(deps.database, signedInPerson.id);
  if (projects[0] || offers.length === 0)
    await beginPortalSession(deps, sessions, ctx, signedInPerson, projects[0]?.id);
  if (offers.length > 0) askToAcceptOffers(deps, ctx, signedInPerson, offers);
}

/**
 * Signs out at the identity provider too, after the session here has ended; returns to the portal
 * if the provider does not support it.
 */
async function signOut({ settings }: Deps, ctx: Context): Promise<void> {
  const portalUrl = `${publicOrigin(settings, ctx.req.headers)}/portal/`;
  const url = settings.signIn ? await startSignOut(settings.signIn, portalUrl) : null;
  ctx.status = 303;
  ctx.redirect(url?.href ?? '/portal/');
}

/** Signs in as the person that `script/server` created, with the token that it printed. */
async function signInLocally(deps: Deps, sessions: PortalSessions, ctx: Context): Promise<void> {
  const expectedToken = Buffer.from(deps.settings.localSignInToken ?? '');
  const givenToken = Buffer.from(new URLSearchParams(ctx.querystring).get('token') ?? '');
  if (
    expectedToken.length === 0 ||
    expectedToken.length !== givenToken.length ||
    !timingSafeEqual(expectedToken, givenToken)
  ) {
    throw signInFailed('The link is invalid. `script/server` prints a new one at each start.');
  }
  const person: ProviderProfile = { ...localPerson, email: null, groups: [] };
  const signedInPerson = { ...(await signInPerson(deps.database, person, new Map())), email: null };
  // `script/server` offers the membership, so it is accepted without asking.
  const joining = { person: signedInPerson, source: signInOrigin(deps, ctx) };
  for (const offer of await listOffers(deps.database, signedInPerson.id)) {
    await decideMembership(deps.database, offer, joining, 'accept');
  }
  const [first] = await listProjectsOf(deps, signedInPerson.id);
  await beginPortalSession(deps, sessions, ctx, signedInPerson, first?.id);
}

function redirectUriFor(deps: Deps, ctx: Context): string {
  return publicOrigin(deps.settings, ctx.req.headers) + callbackPath;
}

/** @throws Problem 429 if an IP address signs in too often */
function requireSignInRate(deps: Deps, ctx: Context): void {
  const max = limits.sign_ins_per_minute;
  const standing = deps.rateLimits.take(`sign-in:${addressOf(deps, ctx)}`, 'read', max);
  if (standing.allowed) return;
  throw new Problem('rate_limited', 'Too many sign-ins from this IP address. Wait a minute.', {
    headers: { 'Retry-After': String(standing.resetSeconds) },
  });
}

function openCookie({ seal }: Deps, value: string | undefined): Contents | null {
  if (!value) return null;
  try {
    const contents: unknown = JSON.parse(seal.open(value, ['portal_sign_in']));
    return isContents(contents) && contents.until > postgresTime() ? contents : null;
  } catch {
    // Encrypted by another service, or with a key that was removed.
    return null;
  }
}
