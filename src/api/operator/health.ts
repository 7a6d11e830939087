import type { Middleware } from 'koa';
import { answersWithin } from '../../db/answers.ts';
import type { Deps } from '../deps.ts';

const limitMs = 2_000;

/**
 * `/healthz` reports that the process is alive. `/readyz` reports whether it can serve requests,
 * which requires Postgres; Redis is reported but not required. Both are public and return no
 * details.
 */
export function createHealth(deps: Deps): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    ctx.state.operation = ctx.path.slice(1);
    if (ctx.path === '/healthz') {
      ctx.body = { state: 'ok' };
      return;
    }
    const [postgres, redis] = await Promise.all([
      answersWithin(deps.database.query('SELECT 1'), limitMs),
      deps.redis ? answersWithin(deps.redis.ping(), limitMs) : false,
    ]);
    ctx.status = postgres ? 200 : 503;
    if (!postgres) ctx.set('Retry-After', '2');
    ctx.body = {
      state: postgres ? 'ready' : 'unavailable',
      postgres: postgres ? 'up' : 'down',
      redis: redis ? 'up' : 'down',
    };
  };
}
