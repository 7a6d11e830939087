import type { Context, Middleware, Next } from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { assignedCredentials } from '../requests/assigned-credentials.ts';
import { readCredentials } from '../requests/headers.ts';
import { createPortalFiles } from './files.ts';
import { type PortalSessions, sessionPath, sessionsPath } from './session.ts';

const portalApiPath = '/portal/api';

/**
 * Rewrites `/portal/api/v1/…` to `/v1/…` before any middleware that uses the path, and the reverse
 * in response headers.
 */
export const rewritePortalPaths: Middleware = (ctx, next) =>
  ctx.path.startsWith(`${portalApiPath}/v1/`) ? rewritePaths(ctx, next) : next();

async function rewritePaths(ctx: Context, next: Next): Promise<void> {
  ctx.state.portal = true;
  ctx.url = ctx.url.slice(portalApiPath.length);
  try {
    await next();
  } finally {
    const { location, link } = ctx.response.headers;
    if (typeof location === 'string' && location.startsWith('/v1/')) {
      ctx.set('Location', portalApiPath + location);
    }
    if (typeof link === 'string') ctx.set('Link', link.replace('</v1/', `<${portalApiPath}/v1/`));
  }
}

/** Serves the pages of the portal. The routes handle its session and API calls. */
export function servePortal(basePath: string): Middleware {
  const serveFile = createPortalFiles(basePath);
  return async (ctx, next) => {
    if (ctx.path === '/portal') return ctx.redirect('/portal/');
    if (!ctx.path.startsWith('/portal/') || isSessionPath(ctx.path)) return next();
    ctx.state.operation = 'portal';
    if (ctx.path === portalApiPath || ctx.path.startsWith(`${portalApiPath}/`)) return next();
    await serveFile(ctx);
  };
}

/** The paths of routes about sessions. */
function isSessionPath(path: string): boolean {
  return [sessionPath, sessionsPath].some((own) => path === own || path.startsWith(`${own}/`));
}

/**
 * Reads the credentials of a request: from the session for the portal, otherwise from the two
 * headers. Neither is accepted in place of the other. Requests of this process may have others.
 */
export function createCredentialsReader(sessions: PortalSessions): (ctx: Context) => Credentials {
  return (ctx) =>
    assignedCredentials(ctx.req.socket) ??
    (ctx.state.portal === true || isSessionPath(ctx.path)
      ? sessions.credentialsOf(ctx)
      : readCredentials(ctx.req));
}
