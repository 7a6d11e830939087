import type { Context, Next } from 'koa';
import { html } from '../docs/html.ts';
import { requireGetOrHead } from '../downloads/static-files.ts';
import { apiName, apiVersion } from '../openapi/api-document.ts';

const links = {
  documentation: '/docs',
  openapi: '/docs/openapi.json',
  portal: '/portal',
  health: '/healthz',
} as const;
const contentSecurityPolicy =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/`: name, version and links, as JSON or HTML. Requires no key. */
export async function serveRoot(ctx: Context, next: Next): Promise<void> {
  if (ctx.path !== '/') return next();
  requireGetOrHead(ctx);
  ctx.state.operation = 'root';
  ctx.vary('Accept');
  ctx.set('Cache-Control', 'no-cache');
  if (ctx.accepts('json', 'html') !== 'html') {
    const base = String(ctx.state.basePath ?? '');
    const publicLinks = Object.fromEntries(
      Object.entries(links).map(([name, path]) => [name, base + path]),
    );
    ctx.body = JSON.stringify({
      name: apiName,
      version: apiVersion,
      api: `${base}/v1`,
      links: publicLinks,
    });
    ctx.set('Content-Type', 'application/json');
    return;
  }
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  const items = Object.entries(links).map(
    ([name, path]) => html`<li><a href="${path}">${name}</a></li>`,
  );
  ctx.body = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${apiName}</title></head>
<body><main><h1>${apiName}</h1><p>Version ${apiVersion}. The API is at <code>/v1</code>. Every request needs an API key and a project.</p>
<ul>${items}</ul></main></body></html>`.text;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
}
