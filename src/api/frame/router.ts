import Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import type { Frame } from './exchange.ts';
import { paramNames, type Route } from './route.ts';
import { serve } from './serve.ts';

/**
 * The routes as Koa middleware. Paths are matched exactly: case, slashes and all. A path that is
 * known under another method is 405 with `Allow`; OPTIONS answers the same list and nothing else,
 * since no origin but our own is meant to call this from a browser.
 */
export function createRouter(routes: readonly Route[], frame: Frame): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  const names = new Set<string>();
  // A literal segment wins over a parameter: /keys/self over /keys/{id}.
  for (const route of [...routes].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))) {
    if (names.has(route.operationId))
      throw new Error(`Two routes are called ${route.operationId}.`);
    names.add(route.operationId);
    const answer = serve(route, frame);
    const known = paramNames(route.path);
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx) => {
      const params = Object.fromEntries(known.map((name) => [name, ctx.params[name] ?? '']));
      await answer(ctx, params);
    });
  }
  const dispatch = router.routes();
  return async (ctx, next) => {
    await dispatch(ctx as never, async () => {
      const layers = router.match(ctx.path, ctx.method).path;
      if (layers.length === 0) return next();
      const methods = [...new Set(layers.flatMap((layer) => layer.methods)), 'OPTIONS'];
      const allow = [...new Set(methods)].sort().join(', ');
      if (ctx.method === 'OPTIONS') {
        ctx.set('Allow', allow);
        ctx.status = 204;
        return;
      }
      throw new Problem('method_not_allowed', `This path answers ${allow}.`, {
        headers: { Allow: allow },
      });
    });
  };
}

function rank(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~');
}
