import type { Middleware } from 'koa';
import { answersWithin } from '../../db/answers-within.ts';
import type { Database } from '../../db/database.ts';
import { isPrimary } from '../../db/wire/servers.ts';
import type { Deps } from '../deps.ts';

const timeoutMs = 2_000;

/**
 * `/healthz` reports that the process is alive. `/readyz` reports whether it can serve requests:
 * Postgres must accept writes, and the process must not be stopping. Redis is reported but not
 * required. Both are public and return no details.
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
      answersWithin(requirePrimary(deps.database), timeoutMs),
      deps.redis ? answersWithin(deps.redis.ping(), timeoutMs) : false,
    ]);
    const isReady = postgres && !deps.shutdown.hasBegun;
    ctx.status = isReady ? 200 : 503;
    if (!isReady) ctx.set('Retry-After', '2');
    ctx.body = {
      state: deps.shutdown.hasBegun ? 'stopping' : postgres ? 'ready' : 'unavailable',
      postgres: postgres ? 'up' : 'down',
      redis: redis ? 'up' : 'down',
    };
  };
}

/** Throws if Postgres is a standby, to which a pooler or proxy may connect. */
async function requirePrimary(database: Database): Promise<void> {
  if (!(await isPrimary((text) => database.query(text)))) throw new Error('Postgres is a standby.');
}
