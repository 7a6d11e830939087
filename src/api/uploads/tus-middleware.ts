import type { Context, Next } from 'koa';
import { tusVersion, uploadsPath } from './tus-headers.ts';

/**
 * Takes the method of a request about uploads from X-HTTP-Method-Override, as tus 1.0 requires for
 * clients that cannot send PATCH or DELETE. All later code sees only that method, including the
 * checks of scopes and CSRF tokens.
 */
export async function overrideMethod(ctx: Context, next: Next): Promise<void> {
  const method = ctx.get('X-HTTP-Method-Override').trim().toUpperCase();
  const { path, method: sent } = ctx;
  if (method === '' || !isAboutUploads(path)) return next();
  ctx.method = method;
  try {
    await next();
  } finally {
    // The response to any method other than HEAD has a body of the announced length.
    if (method === 'HEAD') ctx.method = sent;
  }
}

/** Adds the tus version to all responses under its path. */
export function announceTus(ctx: Context, next: Next): Promise<void> {
  if (isAboutUploads(ctx.path)) ctx.set('Tus-Resumable', tusVersion);
  return next();
}

function isAboutUploads(path: string): boolean {
  return path === uploadsPath || path.startsWith(`${uploadsPath}/`);
}
