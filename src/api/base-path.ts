import type { Middleware } from 'koa';

/**
 * The paths that the service serves at its root, with which paths in its pages and scripts begin.
 */
const served = ['portal', 'docs', 'admin', 'v1', 's', 'l', 'healthz', 'readyz', 'metrics'];

/** The path of PUBLIC_URL, under which a proxy shows the service; empty if it is the root. */
export function basePathOf(publicUrl: string | null): string {
  if (publicUrl === null) return '';
  const segments = new URL(publicUrl).pathname.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => `/${segment}`).join('');
}

/** Whether a base path could be mistaken for a path of the service. */
export function isAmbiguous(basePath: string): boolean {
  return served.includes(basePath.split('/')[1] ?? '');
}

/**
 * The text of a page, script or style with its absolute paths below the base. They are written for
 * the root, because the portal is built before its address is known.
 */
export function belowBase(text: string, basePath: string): string {
  if (basePath === '') return text;
  return text.replace(
    /(?<!\\)(["'`(])\/(portal|docs)(?=[/"'`?#)$])/g,
    (_all, quote: string, name: string) => `${quote}${basePath}/${name}`,
  );
}

/**
 * Removes the base path from requests, for proxies that leave it there, and adds it to the paths in
 * responses: `Location`, `Link`, paths of cookies, and links of pages.
 */
export function enterBase(basePath: string): Middleware {
  const isBelow = (path: string): boolean => path === basePath || path.startsWith(`${basePath}/`);
  const below = (path: string): string =>
    path.startsWith('/') && !path.startsWith('//') && !isBelow(path) ? basePath + path : path;
  return async (ctx, next) => {
    if (isBelow(ctx.path)) ctx.url = ctx.url.slice(basePath.length).replace(/^(?!\/)/, '/');
    ctx.state.basePath = basePath;
    try {
      await next();
    } finally {
      const { location, link } = ctx.response.headers;
      if (typeof location === 'string') ctx.set('Location', below(location));
      if (typeof link === 'string') ctx.set('Link', linksBelow(link, below));
      const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
      if (cookies.length > 0)
        ctx.set(
          'Set-Cookie',
          cookies.map((one) => ofCookie(one, below)),
        );
      if (typeof ctx.body === 'string' && ctx.response.is('html')) {
        ctx.body = ctx.body.replace(
          /((?:href|src|action)=")(\/[^"]*)/g,
          (_all, start: string, path: string) => start + below(path),
        );
      }
    }
  };
}

/** `__Host-` cookies require the path `/`; browsers reject any other. */
function ofCookie(cookie: string, below: (path: string) => string): string {
  if (cookie.startsWith('__Host-')) return cookie;
  return cookie.replace(
    /(;\s*path=)([^;]*)/i,
    (_all, name: string, path: string) => name + below(path),
  );
}

/** A `Link` header with the base path added to each address in angle brackets. */
function linksBelow(link: string, below: (path: string) => string): string {
  const [start, ...rest] = link.split('<');
  const moved = rest.map((part) => {
    const end = part.indexOf('>');
    return end < 0 ? part : below(part.slice(0, end)) + part.slice(end);
  });
  return [start, ...moved].join('<');
}
