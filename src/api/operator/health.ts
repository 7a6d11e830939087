import type { Middleware } from 'koa';
import type { Deps } from '../deps.ts';

/**
 * `/healthz`: the process lives. `/readyz`: it can serve, which takes Postgres; Redis is reported
 * and not required. Neither needs a credential, neither says more than up or down.
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
      within(deps.database.query('SELECT 1')),
      deps.redis ? within(deps.redis.ping()) : false,
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

/** Whether it answers within two seconds. */
async function within(asked: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), 2_000);
  });
  try {
    return await Promise.race([asked.then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
