import type { Middleware } from 'koa';
import type { NoteDenial } from '../../access/denials.ts';
import type { Deps } from '../deps.ts';
import type { Route } from '../frame/route.ts';
import { createRouter } from '../frame/router.ts';
import { createPortalFiles } from './files.ts';
import { portalRoutes } from './routes.ts';
import { createPortalSessions, sessionPath } from './session.ts';

const api = '/portal/api';

/**
 * What the browser calls, `/portal/api/v1/…`, becomes what it is everywhere else, `/v1/…`, before any
 * middleware that goes by the path; addresses in the answer's headers go back the same way.
 */
export const enterPortal: Middleware = async (ctx, next) => {
  if (!ctx.path.startsWith(`${api}/v1/`)) return next();
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
};

/**
 * The portal: its pages, its sessions, and the routes of the API for whoever has one. A cookie counts
 * nowhere else, and here nothing else does.
 */
export function createPortal(
  served: readonly Route[],
  deps: Deps,
  noteDenial: NoteDenial,
): Middleware {
  const sessions = createPortalSessions(deps.seal, deps.signer);
  const show = createPortalFiles();
  // Made when first asked for: schemas take a moment to compile.
  let router: Middleware | undefined;
  return async (ctx, next) => {
    const isPortal = ctx.path === '/portal' || ctx.path.startsWith('/portal/');
    if (ctx.state.portal !== true && !isPortal) return next();
    if (ctx.state.portal === true || ctx.path === sessionPath) {
      router ??= createRouter([...served, ...portalRoutes(sessions)], {
        deps,
        noteDenial,
        credentialsOf: sessions.credentialsOf,
      });
      return router(ctx, next);
    }
    if (ctx.path === '/portal') return ctx.redirect('/portal/');
    ctx.state.operation = 'portal';
    if (ctx.path === api || ctx.path.startsWith(`${api}/`)) return next();
    await show(ctx);
  };
}
