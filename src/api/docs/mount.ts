import type { Middleware } from 'koa';
import { addBasePathToText } from '../base-path.ts';
import { createStaticFile, requireGetOrHead, sendStaticFile } from '../downloads/static-files.ts';
import type { Route } from '../frame/route.ts';
import { apiDocument } from '../openapi/api-document.ts';
import type { Site } from './site.ts';

/**
 * Allows only files of this service: no inline content and no framing. Forms and scripts may call
 * the search.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/docs`: the guides of docs/ and the API reference, generated from the OpenAPI document, with a
 * search over both. It requires no key, because it contains no project data.
 */
export function createDocs(servedRoutes: readonly Route[], basePath: string): Middleware {
  // Loaded and built on the first request.
  let site: Promise<Site> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return next();
    ctx.state.operation = 'docs';
    requireGetOrHead(ctx);
    site ??= import('./site.ts').then(({ buildSite }) =>
      buildSite(apiDocument(servedRoutes, basePath), basePath),
    );
    const { files, missing, search, searchPage, operationAt } = await site;
    const parameters = new URLSearchParams(ctx.querystring);
    const query = parameters.get('q') ?? '';
    if (ctx.path === '/docs/search') {
      return sendStaticFile(ctx, await searchPage(query), { policy: contentPolicy });
    }
    if (ctx.path === '/docs/search.json') {
      const results = await createStaticFile(
        'application/json',
        addBasePathToText(JSON.stringify(search(query)), basePath),
      );
      return sendStaticFile(ctx, results, { policy: contentPolicy });
    }
    if (ctx.path === '/docs/operation') {
      const location = operationAt(parameters.get('method') ?? '', parameters.get('path') ?? '');
      if (location !== null) return ctx.redirect(location);
    }
    const file = files.get(ctx.path);
    const withoutSlash = ctx.path.endsWith('/') ? ctx.path.slice(0, -1) : ctx.path;
    if (!file && files.has(withoutSlash)) return ctx.redirect(withoutSlash);
    sendStaticFile(ctx, file ?? missing, { policy: contentPolicy, status: file ? 200 : 404 });
  };
}
