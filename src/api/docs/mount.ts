import type { Middleware } from 'koa';
import { requireReading, sendStaticFile } from '../downloads/static-files.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/published.ts';
import { buildSite, type Site } from './site.ts';

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
    requireReading(ctx);
    site ??= buildSite(apiDocument(served));
    const { files, missing } = await site;
    const file = files.get(ctx.path);
    const withoutSlash = ctx.path.replace(/\/+$/, '');
    if (!file && files.has(withoutSlash)) return ctx.redirect(withoutSlash);
    sendStaticFile(ctx, file ?? missing, { policy: contentPolicy, status: file ? 200 : 404 });
  };
}
