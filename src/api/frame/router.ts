import Router from '@koa/router';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context, Middleware } from 'koa';
import type { Frame } from './exchange.ts';
import type { Route } from './route.ts';
import { paramNames } from './route-facts.ts';
import { serve } from './serve.ts';

/**
 * The routes as Koa middleware; unknown paths go to the next middleware. Paths are matched exactly,
 * including case and slashes. A known path with another method returns 405 with `Allow`, and
 * OPTIONS returns the same list. Each resource has its own router, found by the first two segments
 * of the path, since a router tries its routes one by one.
 */
export function createRouter(routes: readonly Route[], frame: Frame): Middleware {
  const names = new Set<string>();
  const byResource = new Map<string, Route[]>();
  for (const route of routes) {
    const { operationId, path } = route;
    if (names.has(operationId)) throw new Error(`Duplicate operationId '${operationId}'.`);
    names.add(operationId);
    const resource = resourceOf(path);
    byResource.set(resource, [...(byResource.get(resource) ?? []), route]);
  }
  const routers = new Map<string, Middleware>();
  for (const [resource, own] of byResource) routers.set(resource, routerOf(own, frame));
  return (ctx, next) => {
    const answer = routers.get(resourceOf(ctx.path));
    return answer ? answer(ctx, next) : next();
  };
}

function resourceOf(path: string): string {
  return path.split('/', 3).join('/');
}

function routerOf(routes: readonly Route[], frame: Frame): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  // Literal segments take precedence over parameters: /keys/self over /keys/{id}.
  for (const route of [...routes].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1))) {
    const answer = serve(route, frame);
    const known = paramNames(route.path);
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx) => {
      const params = Object.fromEntries(known.map((name) => [name, ctx.params[name] ?? '']));
      await answer(ctx, params);
    });
  }
  const dispatch = router.routes();
  return (ctx, next) =>
    dispatch(ctx as never, async () => {
      const layers = router.match(ctx.path, ctx.method).path;
      if (layers.length === 0) return next();
      tellMethods(ctx, [...layers.flatMap((layer) => layer.methods), 'OPTIONS']);
    });
}

function tellMethods(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set(methods)].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `The method must be one of: ${allow}.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}

function rank(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~');
}
