import { Problem } from '@scriptorium/contracts/problems';
import type { Context, Next } from 'koa';
import type { Credentials } from '../../access/authenticate.ts';
import { addressOf } from '../requests/headers.ts';
import { causeOfRequest } from '../requests/trace.ts';
import { admitRequest, settleError } from './admit.ts';
import { compileChecks } from './checks.ts';
import type { Exchange, Frame } from './exchange.ts';
import { type Route, streamRoute } from './route.ts';

/** What a path is counted as that no route serves. */
const nowhere = streamRoute({
  method: 'GET',
  path: '/v1',
  operationId: 'none',
  tag: '',
  summary: '',
  scopes: [],
  responses: {},
  handler: () => Promise.reject(new Error('No route serves this path.')),
});
/** What is found out about the path and method, before the key is looked at. */
const statuses: ReadonlySet<number> = new Set([404, 405, 406]);

/** 404 for a path that no route serves, with a hint where a mistake is common. */
export function unknownPath(routes: readonly Route[]): (ctx: Context) => Promise<never> {
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
      return ' Leave out the slash at the end.';
    }
    return '';
  };
  return async (ctx) => {
    throw new Problem('not_found', `No endpoint exists at this path.${hint(ctx.path)}`);
  };
}

/**
 * Adds the rate headers to errors about the path and method, which precede the key: a client that
 * shows a valid key finds them in every response, and these count, too.
 */
export function tellRates(frame: Frame): (ctx: Context, next: Next) => Promise<void> {
  const checks = compileChecks(nowhere, false);
  /** Null for a valid key below its rate, and without a key. */
  const admit = async (ctx: Context): Promise<unknown> => {
    let credentials: Credentials;
    try {
      credentials = frame.credentialsOf(ctx);
    } catch {
      return null;
    }
    const exchange: Exchange = {
      ...{ ctx, frame, checks, credentials, route: nowhere, params: {} },
      address: addressOf(frame.deps, ctx),
      requestId: String(ctx.state.requestId),
      cause: causeOfRequest(ctx),
    };
    try {
      await frame.transactions.read(exchange, 'quick', (tx) => admitRequest(exchange, tx));
      return null;
    } catch (error) {
      return settleError(exchange, error);
    }
  };
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isEarly = error instanceof Problem && statuses.has(error.status);
      if (!isEarly || ctx.res.hasHeader('RateLimit')) throw error;
      const rejection = await admit(ctx);
      throw rejection instanceof Problem && rejection.code === 'rate_limited' ? rejection : error;
    }
  };
}
