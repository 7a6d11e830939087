import Router from '@koa/router';
import { Problem } from '@scriptorium/contracts/problems';
import type { Context, Middleware, Next } from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { addressOf } from '../requests/headers.ts';
import { admitRequest, handleRequestError } from './admit.ts';
import { causeOfRequest, defaultConcurrency, type Exchange, type Frame } from './exchange.ts';
import { negotiate, planCompression } from './responses/send.ts';
import { type Route, streamRoute } from './route.ts';
import { compileChecks, paramNames } from './route-properties.ts';
import { serveJson } from './serve-json.ts';
import { serveStream } from './serve-stream.ts';
import { createSlots } from './slots.ts';

/**
 * The routes as Koa middleware; unknown paths go to the next middleware. Paths must match exactly,
 * including case and slashes. A known path with another method returns 405 with `Allow`, and
 * OPTIONS returns the same list. Each resource has a separate router, found by the first two
 * segments of the path, because a router tries its routes one by one.
 */
export function createRouter(routes: readonly Route[], frame: Frame): Middleware {
  const names = new Set<string>();
  const byResource = new Map<string, Route[]>();
  for (const route of routes) {
    const { operationId, path } = route;
    if (names.has(operationId)) throw new Error(`Duplicate operationId '${operationId}'.`);
    names.add(operationId);
    const resource = resourcePathOf(path);
    byResource.set(resource, [...(byResource.get(resource) ?? []), route]);
  }
  const routers = new Map<string, Middleware>();
  for (const [resource, resourceRoutes] of byResource)
    routers.set(resource, createResourceRouter(resourceRoutes, frame));
  return (ctx, next) => {
    const router = routers.get(resourcePathOf(ctx.path));
    return router ? router(ctx, next) : next();
  };
}

function resourcePathOf(path: string): string {
  return path.split('/', 3).join('/');
}

function createResourceRouter(routes: readonly Route[], frame: Frame): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  // Literal segments take precedence over parameters: /keys/self over /keys/{id}.
  for (const route of [...routes].sort((a, b) =>
    sortKeyOf(a.path) < sortKeyOf(b.path) ? -1 : 1,
  )) {
    const handle = createHandler(route, frame);
    const parameterNames = paramNames(route.path);
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], async (ctx) => {
      const params = Object.fromEntries(
        parameterNames.map((name) => [name, ctx.params[name] ?? '']),
      );
      await handle(ctx, params);
    });
  }
  const dispatch = router.routes();
  return (ctx, next) =>
    dispatch(ctx as never, async () => {
      const layers = router.match(ctx.path, ctx.method).path;
      if (layers.length === 0) return next();
      answerWithAllowedMethods(ctx, [...layers.flatMap((layer) => layer.methods), 'OPTIONS']);
    });
}

function answerWithAllowedMethods(ctx: Context, methods: readonly string[]): void {
  const allow = [...new Set(methods)].sort().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new Problem('method_not_allowed', `The method must be one of: ${allow}.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
}

function sortKeyOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '~');
}

/** The maximum number of requests per route in `prepare` in this process, shared among projects. */
const maxPreparing = 64;

/**
 * Creates the function that serves a route. The order of checks is part of the API (docs/api.md).
 */
function createHandler(
  route: Route,
  frame: Frame,
): (ctx: Context, params: Record<string, string>) => Promise<void> {
  const checks = compileChecks(route, frame.deps.settings.checkResponses);
  const runningCounts = new Map<string, number>();
  const concurrency = (route.kind === 'json' ? route.concurrency : undefined) ?? defaultConcurrency;
  const slots = createSlots({ total: maxPreparing, perHolder: concurrency });
  return async (ctx, params) => {
    ctx.state.operation = route.operationId;
    ctx.state.route = route.path;
    planCompression(ctx, route);
    negotiate(ctx, route);
    const address = addressOf(frame.deps, ctx);
    const exchange: Omit<Exchange, 'credentials'> = {
      ctx,
      route,
      frame,
      checks,
      params,
      address,
      requestId: String(ctx.state.requestId),
      cause: causeOfRequest(ctx),
    };
    try {
      const credentials = frame.credentialsOf(ctx);
      const full: Exchange = Object.assign(exchange, { credentials });
      if (route.kind === 'json') await serveJson(full, route, slots);
      else await serveStream(full, route, runningCounts);
    } catch (error) {
      throw await handleRequestError(exchange, error);
    }
  };
}

/** A placeholder for paths without a route. */
const unknownRoute = streamRoute({
  method: 'GET',
  path: '/v1',
  operationId: 'none',
  tag: '',
  summary: '',
  scopes: [],
  responses: {},
  handler: () => Promise.reject(new Error('No route serves this path.')),
});
/** The statuses of errors that are found before the key is checked. */
const pathErrorStatuses: ReadonlySet<number> = new Set([404, 405, 406]);

/** 404 for a path without a route, with a hint for common mistakes. */
export function createUnknownPathHandler(
  routes: readonly Route[],
): (ctx: Context) => Promise<never> {
  let patterns: RegExp[] | null = null;
  const isKnown = (path: string): boolean => {
    patterns ??= routes.map(
      (route) =>
        new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    return patterns.some((pattern) => pattern.test(path));
  };
  const hint = (path: string): string => {
    if (/^\/v(?!1(\/|$))\d+(\/|$)/.test(path)) {
      return ' The version of the API is v1: all paths start with `/v1`.';
    }
    if (path === '/v1/assets' || path.startsWith('/v1/assets/')) {
      return ' Assets are `/v1/objects`, `/v1/images` and `/v1/collections`.';
    }
    if (path.endsWith('/') && isKnown(path.slice(0, -1))) {
      return ' Remove the trailing slash.';
    }
    return '';
  };
  return async (ctx) => {
    throw new Problem('not_found', `No endpoint exists at this path.${hint(ctx.path)}`);
  };
}

/**
 * Adds the rate limit headers to errors about the path and method, which are thrown before the key
 * is checked: clients with a valid key get the headers in every response, and these requests count.
 */
export function createRateHeaders(frame: Frame): (ctx: Context, next: Next) => Promise<void> {
  const checks = compileChecks(unknownRoute, false);
  /** Null for a valid key below its rate, and for a request without a key. */
  const admit = async (ctx: Context): Promise<unknown> => {
    let credentials: Credentials;
    try {
      credentials = frame.credentialsOf(ctx);
    } catch {
      return null;
    }
    const exchange: Exchange = {
      ctx,
      frame,
      checks,
      credentials,
      route: unknownRoute,
      params: {},
      address: addressOf(frame.deps, ctx),
      requestId: String(ctx.state.requestId),
      cause: causeOfRequest(ctx),
    };
    try {
      await frame.transactions.read(exchange, 'quick', (tx) => admitRequest(exchange, tx));
      return null;
    } catch (error) {
      return handleRequestError(exchange, error);
    }
  };
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isPathError = error instanceof Problem && pathErrorStatuses.has(error.status);
      if (!isPathError || ctx.res.hasHeader('RateLimit')) throw error;
      const rejection = await admit(ctx);
      throw rejection instanceof Problem && rejection.code === 'rate_limited' ? rejection : error;
    }
  };
}
