import type { Context, Middleware } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import type { Frame } from './exchange.ts';
import type { Route } from './route.ts';
import { createRouteTable } from './route-table.ts';
import { serve } from './serve.ts';

/**
 * The routes as Koa middleware; a path that none of them has is left to the next. A path that is known
 * under another method is 405 with `Allow`; OPTIONS answers the same list and nothing else, since no
 * origin but our own is meant to call this from a browser.
 */
export function createRouter(routes: readonly Route[], frame: Frame): Middleware {
  const names = new Set<string>();
  const table = createRouteTable(
    routes.map((route) => {
      const { method, path, operationId } = route;
      if (names.has(operationId)) throw new Error(`Two routes are called ${operationId}.`);
      names.add(operationId);
      return { method, path, value: serve(route, frame) };
    }),
  );
  return (ctx, next) => {
    const found = table.find(ctx.method, ctx.path);
    if (found.outcome === 'found') return found.value(ctx, found.params);
    return found.outcome === 'unknown' ? next() : tellMethods(ctx, found.methods);
  };
}

async function tellMethods(ctx: Context, methods: ReadonlySet<string>): Promise<void> {
  const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `This path answers ${allow}.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}
