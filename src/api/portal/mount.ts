import type { Context, Middleware, Next } from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { readCredentials } from '../requests/headers.ts';
import { createPortalFiles } from './files.ts';
import { type PortalSessions, sessionPath, sessionsPath } from './session.ts';

const api = '/portal/api';

/**
 * Rewrites `/portal/api/v1/…` to `/v1/…` before any middleware that uses the path, and the paths in
 * response headers back.
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

/** Serves the pages of the portal. The routes handle its session and API calls. */
export function showPortal(basePath: string): Middleware {
  const show = createPortalFiles(basePath);
  return async (ctx, next) => {
    if (ctx.path === '/portal') return ctx.redirect('/portal/');
    if (!ctx.path.startsWith('/portal/') || isOfSessions(ctx.path)) return next();
    ctx.state.operation = 'portal';
    if (ctx.path === api || ctx.path.startsWith(`${api}/`)) return next();
    await show(ctx);
  };
}

/** The paths of routes about sessions. */
function isOfSessions(path: string): boolean {
  return [sessionPath, sessionsPath].some((own) => path === own || path.startsWith(`${own}/`));
}

/**
 * Reads the credentials of a request: for the portal from its session, otherwise from the two
 * headers. They are not interchangeable.
 */
export function credentialsIn(sessions: PortalSessions): (ctx: Context) => Credentials {
  return (ctx) =>
    ctx.state.portal === true || isOfSessions(ctx.path)
      ? sessions.credentialsOf(ctx)
      : readCredentials(ctx.req);
}
