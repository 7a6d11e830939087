import { timingSafeEqual } from 'node:crypto';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { limits } from '@scriptorium/contracts/limits';
import { Problem } from '@scriptorium/contracts/problems';
import type { SignInOptions } from '@scriptorium/contracts/wire/portal';
import type { Context, Middleware } from 'koa';
import { type Static, Type } from 'typebox';
import {
  decideMembership,
  enterPerson,
  offersTo,
  requireOpen,
  type VouchedPerson,
} from '../../../access/people/enter.ts';
import { localPerson } from '../../../access/people/local.ts';
import { postgresTime } from '../../../db/postgres-time.ts';
import type { Deps } from '../../deps.ts';
import { publicOrigin } from '../../downloads/signed-urls.ts';
import { requireReading } from '../../downloads/static-files.ts';
import { cookieHeader, readCookie } from '../../frame/answers/cookie.ts';
import { toProblem } from '../../frame/answers/problem.ts';
import { addressOf } from '../../requests/headers.ts';
import type { PortalSessions } from '../session.ts';
import { begin, fromOf, projectsFor } from './begin.ts';
import { failed } from './failed.ts';
import { askInvited, askOffered, invitationIn, join } from './join.ts';
import { joinPath, showSignInProblem } from './page.ts';
import { finishSignIn, startSignIn, startSignOut } from './provider.ts';

const signInPath = '/portal/sign-in';
const callbackPath = `${signInPath}/callback`;
const optionsPath = `${signInPath}/options`;
const localPath = `${signInPath}/local`;
const signOutPath = '/portal/sign-out';
/** Lax, unlike the session cookie: it must be sent when the provider redirects the browser back. */
const ownCookie = {
  name: 'portal_sign_in',
  prefix: '__Host-',
  path: signInPath,
  sameSite: 'Lax',
} as const;
/** How long a person may take at the provider. */
const seconds = 600;

/** The sealed data in the browser between the start and the end of a sign-in. */
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
 * of development. Errors are explained on a page, because a browser navigated here.
 */
export function createSignIn(deps: Deps, sessions: PortalSessions): Middleware {
  const steps: Record<string, (ctx: Context) => Promise<void>> = {
    [signInPath]: (ctx) => start(deps, ctx),
    [callbackPath]: (ctx) => finish(deps, sessions, ctx),
    [optionsPath]: (ctx) => showOptions(deps, ctx),
    [localPath]: (ctx) => enterLocally(deps, sessions, ctx),
    [signOutPath]: (ctx) => signOut(deps, ctx),
    [joinPath]: (ctx) => join(deps, sessions, ctx),
  };
  return async (ctx, next) => {
    const step = steps[ctx.path];
    if (!step) return next();
    ctx.state.operation = 'signIn';
    if (ctx.path !== joinPath) requireReading(ctx);
    try {
      takeTurn(deps, ctx);
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
async function showOptions({ settings }: Deps, ctx: Context): Promise<void> {
  const options: SignInOptions = { provider: settings.signIn?.name ?? null };
  ctx.body = JSON.stringify(options);
  ctx.set('Content-Type', 'application/json');
}

async function start(deps: Deps, ctx: Context): Promise<void> {
  const { signIn } = deps.settings;
  const token = new URLSearchParams(ctx.querystring).get('invitation');
  const invited = token === null ? null : invitationIn(deps, token);
  if (!signIn) {
    throw failed('This service has no identity provider. Sign in with a project and an API key.');
  }
  if (invited) await requireOpen(deps.database, invited);
  const { url, checks } = await startSignIn(signIn, redirectUriFor(deps, ctx));
  const contents: Contents = {
    ...checks,
    invitation: token,
    until: postgresTime() + seconds * 1_000,
  };
  const value = deps.seal.seal(JSON.stringify(contents), ['portal_sign_in']);
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...ownCookie, value, maxAge: seconds, secure: ctx.secure }),
  );
  ctx.status = 303;
  ctx.redirect(url.href);
}

async function finish(deps: Deps, sessions: PortalSessions, ctx: Context): Promise<void> {
  const { signIn } = deps.settings;
  const contents = openCookie(deps, readCookie(ctx, ownCookie));
  ctx.append(
    'Set-Cookie',
    cookieHeader({ ...ownCookie, value: '', maxAge: 0, secure: ctx.secure }),
  );
  if (!signIn || !contents) {
    throw failed('The sign-in took too long, or was started in another browser.');
  }
  const returnedTo = new URL(redirectUriFor(deps, ctx));
  returnedTo.search = ctx.search;
  const person = await finishSignIn(signIn, returnedTo, contents);
  const entered = {
    ...(await enterPerson(deps.database, person, signIn.groupRoles)),
    email: person.email,
  };
  // An invitation never adds a person by itself: its link only leads to the question.
  if (contents.invitation !== null) return askInvited(deps, ctx, entered, contents.invitation);
  const projects = await projectsFor(deps, entered.id);
  const offers = await offersTo(deps.database, entered.id);
  if (projects[0] || offers.length === 0)
    await begin(deps, sessions, ctx, entered, projects[0]?.id);
  if (offers.length > 0) askOffered(deps, ctx, entered, offers);
}

/**
 * Signs out at the identity provider too, after the session here has ended; returns to the portal
 * if the provider does not support it.
 */
async function signOut({ settings }: Deps, ctx: Context): Promise<void> {
  const home = `${publicOrigin(settings, ctx.req.headers)}/portal/`;
  const url = settings.signIn ? await startSignOut(settings.signIn, home) : null;
  ctx.status = 303;
  ctx.redirect(url?.href ?? '/portal/');
}

/** Signs in as the person that `script/server` made, with the token that it printed. */
async function enterLocally(deps: Deps, sessions: PortalSessions, ctx: Context): Promise<void> {
  const wanted = Buffer.from(deps.settings.localSignInToken ?? '');
  const given = Buffer.from(new URLSearchParams(ctx.querystring).get('token') ?? '');
  if (wanted.length === 0 || wanted.length !== given.length || !timingSafeEqual(wanted, given)) {
    throw failed('The link is invalid. `script/server` prints a new one at each start.');
  }
  const person: VouchedPerson = { ...localPerson, email: null, groups: [] };
  const entered = { ...(await enterPerson(deps.database, person, new Map())), email: null };
  // `script/server` adds the person, and prints their link.
  const joining = { person: entered, from: fromOf(deps, ctx) };
  for (const offer of await offersTo(deps.database, entered.id)) {
    await decideMembership(deps.database, offer, joining, 'accept');
  }
  const [first] = await projectsFor(deps, entered.id);
  await begin(deps, sessions, ctx, entered, first?.id);
}

function redirectUriFor(deps: Deps, ctx: Context): string {
  return publicOrigin(deps.settings, ctx.req.headers) + callbackPath;
}

/** @throws Problem 429 if an IP address signs in too often */
function takeTurn(deps: Deps, ctx: Context): void {
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
    // Sealed by another service, or with a removed key.
    return null;
  }
}
