import type { Context, Next } from 'koa';

/**
 * Takes the method of a request about uploads from X-HTTP-Method-Override, as tus 1.0 requires
 * for clients that cannot send PATCH or DELETE. Everything after it sees only that method,
 * including the checks of scopes and CSRF tokens.
 */
export async function overrideMethod(ctx: Context, next: Next): Promise<void> {
  const method = ctx.get('X-HTTP-Method-Override').trim().toUpperCase();
  const { path, method: sent } = ctx;
  if (method === '' || !(path === '/v1/uploads' || path.startsWith('/v1/uploads/'))) return next();
  ctx.method = method;
  try {
    await next();
  } finally {
    // The response to another method than HEAD has a body of the length that it announces.
    if (method === 'HEAD') ctx.method = sent;
  }
}
