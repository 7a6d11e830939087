import type { Context, Middleware } from 'koa';
import { Problem } from '../../contracts/problems.ts';
import { isKnown } from '../frame/preconditions.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/published.ts';
import { buildSite, type Site, type SiteFile } from './site.ts';

/** Nothing from elsewhere, nothing inline, nobody may frame it, and there is nothing to send. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/docs`: the API for people to read, made of its OpenAPI document, which is there too. It is for
 * everybody: it holds nothing of any project.
 */
export function createDocs(served: readonly Route[]): Middleware {
  // Made when somebody first asks.
  let site: Promise<Site> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return next();
    ctx.state.operation = 'docs';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new Problem('method_not_allowed', 'This path answers GET, HEAD.', {
        headers: { Allow: 'GET, HEAD' },
      });
    }
    site ??= buildSite(apiDocument(served));
    const { files, missing } = await site;
    const file = files.get(ctx.path);
    const withoutSlash = ctx.path.replace(/\/+$/, '');
    if (!file && files.has(withoutSlash)) return ctx.redirect(withoutSlash);
    send(ctx, file ?? missing, file ? 200 : 404);
  };
}

function send(ctx: Context, file: SiteFile, status: 200 | 404): void {
  ctx.set('Content-Security-Policy', contentPolicy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.status = status;
  if (status === 200) {
    // What is an asset has its hash in its name; pages are asked after each time.
    ctx.set('Cache-Control', file.isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.set('ETag', file.etag);
    if (isKnown(ctx.get('If-None-Match') || undefined, file.etag)) {
      ctx.status = 304;
      return;
    }
  }
  const zipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (zipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = zipped ? file.gzipped : file.bytes;
  ctx.set('Content-Type', file.type);
}
