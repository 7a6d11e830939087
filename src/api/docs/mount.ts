import type { Middleware } from 'koa';
import { belowBase } from '../base-path.ts';
import { requireReading, sendStaticFile, staticFile } from '../downloads/static-files.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/published.ts';
import type { Site } from './site.ts';

/**
 * Only files of this service, no inline content, no framing; forms and scripts may use the search.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/docs`: the guides of docs/ and the API reference, generated from the OpenAPI document, with a
 * search over both. It requires no key, since it contains no data of any project.
 */
export function createDocs(served: readonly Route[], basePath: string): Middleware {
  // Loaded and built on the first request.
  let site: Promise<Site> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return next();
    ctx.state.operation = 'docs';
    requireReading(ctx);
    site ??= import('./site.ts').then(({ buildSite }) =>
      buildSite(apiDocument(served, basePath), basePath),
    );
    const { files, missing, search, searchPage, operationAt } = await site;
    const asked = new URLSearchParams(ctx.querystring);
    const query = asked.get('q') ?? '';
    if (ctx.path === '/docs/search') {
      return sendStaticFile(ctx, await searchPage(query), { policy: contentPolicy });
    }
    if (ctx.path === '/docs/search.json') {
      const found = await staticFile(
        'application/json',
        belowBase(JSON.stringify(search(query)), basePath),
      );
      return sendStaticFile(ctx, found, { policy: contentPolicy });
    }
    if (ctx.path === '/docs/operation') {
      const place = operationAt(asked.get('method') ?? '', asked.get('path') ?? '');
      if (place !== null) return ctx.redirect(place);
    }
    const file = files.get(ctx.path);
    const withoutSlash = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path;
    if (!file && files.has(withoutSlash)) return ctx.redirect(withoutSlash);
    sendStaticFile(ctx, file ?? missing, { policy: contentPolicy, status: file ? 200 : 404 });
  };
}
