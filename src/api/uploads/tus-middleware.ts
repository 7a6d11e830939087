import type { Context, Next } from 'koa';
import { tusVersion, uploadsPath } from './tus-headers.ts';

/**
 * Sets the method of an upload request to X-HTTP-Method-Override, as tus 1.0 requires for clients
 * that cannot send PATCH or DELETE. All later code uses this method, including the checks of scopes
 * and CSRF tokens.
 */
export async function overrideMethod(ctx: Context, next: Next): Promise<void> {
  const method = ctx.get('X-HTTP-Method-Override').trim().toUpperCase();
  const { path, method: sentMethod } = ctx;
  if (method === '' || !isUploadPath(path)) return next();
  ctx.method = method;
  try {
    await next();
  } finally {
    // Unless the original method is HEAD, the response must have a body of the declared length.
    if (method === 'HEAD') ctx.method = sentMethod;
  }
}

/** Adds the tus version to all responses under its path. */
export function addTusVersion(ctx: Context, next: Next): Promise<void> {
  if (isUploadPath(ctx.path)) ctx.set('Tus-Resumable', tusVersion);
  return next();
}

function isUploadPath(path: string): boolean {
  return path === uploadsPath || path.startsWith(`${uploadsPath}/`);
}
