import { createHash } from 'node:crypto';
import type { Problem } from '@scriptorium/contracts/problems';
import type { Role } from '@scriptorium/contracts/roles';
import type { Context } from 'koa';
import { Html, html } from '../../docs/html.ts';
import { brand, brandStyle, fontFamily, fontLink, fontSources } from '../../look.ts';

/** The path that receives the answers to `askToJoin`. */
export const joinPath = '/portal/sign-in/join';

/** Styled like the login page. */
const style = `:root{color-scheme:light dark}
body{display:grid;place-items:center;box-sizing:border-box;min-height:100vh;margin:0;padding:1rem;background:light-dark(#f4f5f7,#0c0d10);color:light-dark(#1b1e25,#ebedf1);font:15px/1.5 ${fontFamily}}
${brandStyle}
main{box-sizing:border-box;width:min(27rem,100%);padding:2rem clamp(1rem,5vw,2rem);background:light-dark(#fff,#191b20);border:1px solid light-dark(#e3e5ea,#2b2e36);border-radius:12px}
h1{margin:0;font-size:1.25rem;line-height:1.3}a{color:light-dark(#3452b8,#9db3ff)}small{color:light-dark(#5a606b,#a6adb9)}code{overflow-wrap:anywhere}p:last-child{margin-bottom:0}ul{padding:0;list-style:none}li{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}li span{flex:1 1 100%;overflow-wrap:anywhere}button{padding:.5rem 1rem;font:inherit;color:inherit;background:light-dark(#eef0f6,#262a33);border:1px solid light-dark(#c3c8d4,#474d5b);border-radius:8px;cursor:pointer}h1{overflow-wrap:anywhere}`;
const hash = createHash('sha256').update(style).digest('base64');
const contentSecurityPolicy = `default-src 'none'; style-src ${fontSources.style} 'sha256-${hash}'; ${fontSources.font}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const titles: Partial<Record<Problem['code'], string>> = {
  dependency_unavailable: 'The identity provider is unavailable',
  membership_required: 'You are not a member of any project',
  invitation_closed: 'The invitation cannot be used',
  rate_limited: 'Too many sign-ins',
};

/** Shows why a person could not sign in, with the status of the problem. */
export function showSignInProblem(ctx: Context, problem: Problem): void {
  const title = titles[problem.code] ?? 'The sign-in failed';
  // Otherwise the provider would sign in the same person again.
  const signOutLink =
    problem.code === 'membership_required'
      ? html` · <a href="/portal/sign-out">Sign in as someone else</a>`
      : '';
  ctx.status = problem.status;
  ctx.set(problem.headers);
  sendPage(
    ctx,
    title,
    html`<p>${problem.message}</p><p><a href="/portal/">Back to the portal</a>${signOutLink}</p><p><small>Request <code>${String(ctx.state.requestId)}</code>, error <code>${problem.code}</code></small></p>`,
  );
}

/** The projects that a person is asked to join. */
export interface JoinQuestion {
  person: { name: string; email: string | null };
  offers: readonly { id: string; project_name: string; role: Role }[];
  /** Whether the person can decline permanently; an invitation can be left open. */
  canDecline: boolean;
}

/**
 * Asks a person which projects to join. Until they answer, nothing changes and no project shows
 * them as a member.
 */
export function askToJoin(ctx: Context, { person, offers, canDecline }: JoinQuestion): void {
  const [first] = offers;
  const title =
    offers.length === 1 ? `Join ${first!.project_name} as ${first!.role}?` : 'Join these projects?';
  const button = (verb: string, id: string, label: string, target: string) =>
    html`<form method="post" action="${joinPath}?${verb}=${id}"><button aria-label="${label} ${target}">${label}</button></form>`;
  const personText = person.email === null ? person.name : `${person.name} (${person.email})`;
  const rows = offers.map(
    ({ id, project_name: project, role }) =>
      html`<li>${offers.length > 1 ? html`<span>${project}, as ${role}</span>` : ''}${button('accept', id, 'Join', project)}${canDecline ? button('decline', id, 'Decline', project) : ''}</li>`,
  );
  sendPage(
    ctx,
    title,
    html`<p>You are signed in as ${personText}. Members of a project that you join see your name and e-mail address.</p><ul>${rows}</ul><p><a href="/portal/">Not now</a></p>`,
  );
}

function sendPage(ctx: Context, title: string, content: Html): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  // With `no-referrer`, forms would be sent without an origin.
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-store');
  ctx.body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title} · Scriptorium</title>${fontLink}<style>${new Html(style)}</style></head>
<body><main>${brand}<h1>${title}</h1>${content}</main></body></html>`.text;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
}
