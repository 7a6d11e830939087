import type { Context, Middleware, Next } from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { readCredentials } from '../requests/credentials.ts';
import { createPortalFiles } from './files.ts';
import { type PortalSessions, sessionPath } from './session.ts';

const api = '/portal/api';

/**
 * What the browser calls, `/portal/api/v1/…`, becomes what it is everywhere else, `/v1/…`, before any
 * middleware that goes by the path; addresses in the answer's headers go back the same way.
 */
export const enterPortal: Middleware = (ctx, next) =>
  ctx.path.startsWith(`${api}/v1/`) ? enter(ctx, next) : next();

async function enter(ctx: Context, next: Next): Promise<void> {
  ctx.state.portal = true;
  ctx.url = ctx.url.slice(api.length);
  try {
    await next();
  } finally {
    const { location, link } = ctx.response.headers;
    if (typeof location === 'string' && location.startsWith('/v1/')) {
      ctx.set('Location', api + location);
    }
    if (typeof link === 'string') ctx.set('Link', link.replace('</v1/', `<${api}/v1/`));
  }
}

/** The portal's pages. Its session and what it asks the API for are left to the routes. */
export function showPortal(): Middleware {
  const show = createPortalFiles();
  return async (ctx, next) => {
    if (ctx.path === '/portal') return ctx.redirect('/portal/');
    if (!ctx.path.startsWith('/portal/') || ctx.path === sessionPath) return next();
    ctx.state.operation = 'portal';
    if (ctx.path === api || ctx.path.startsWith(`${api}/`)) return next();
    await show(ctx);
  };
}

/**
 * Where a request's credentials stand: under the portal its session, everywhere else the two headers.
 * Neither counts for anything in the other's place.
 */
export function credentialsIn(sessions: PortalSessions): (ctx: Context) => Credentials {
  return (ctx) =>
    ctx.state.portal === true || ctx.path === sessionPath
      ? sessions.credentialsOf(ctx)
      : readCredentials(ctx.req);
}
