import type { Middleware } from 'koa';

/**
 * The first segments of the paths that the service serves, and that its pages and scripts use.
 */
const servedSegments = [
  'portal',
  'docs',
  'admin',
  'v1',
  'mcp',
  '.well-known',
  's',
  'l',
  'healthz',
  'readyz',
  'metrics',
  'verify',
];

/** The path of PUBLIC_URL, under which a proxy serves the service; empty for the root. */
export function basePathOf(publicUrl: string | null): string {
  if (publicUrl === null) return '';
  const segments = new URL(publicUrl).pathname.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => `/${segment}`).join('');
}

/** Whether a base path could be mistaken for a path of the service. */
export function isAmbiguous(basePath: string): boolean {
  return servedSegments.includes(basePath.split('/')[1] ?? '');
}

/**
 * Adds the base path to the absolute paths in a page, script or style. These are written for the
 * root, because the base path is not known when the portal is built.
 */
export function addBasePathToText(text: string, basePath: string): string {
  if (basePath === '') return text;
  return text.replace(
    /(?<!\\)(["'`(])\/(portal|docs|verify)(?=[/"'`?#)$])/g,
    (_all, quote: string, name: string) => `${quote}${basePath}/${name}`,
  );
}

/**
 * Removes the base path from requests, if the proxy has not done so, and adds it to the paths in
 * responses: `Location`, `Link`, cookie paths, and links in pages.
 */
export function createBasePathMiddleware(basePath: string): Middleware {
  const hasBasePath = (path: string): boolean =>
    path === basePath || path.startsWith(`${basePath}/`);
  const addBasePath = (path: string): string =>
    path.startsWith('/') && !path.startsWith('//') && !hasBasePath(path) ? basePath + path : path;
  return async (ctx, next) => {
    if (hasBasePath(ctx.path)) ctx.url = ctx.url.slice(basePath.length).replace(/^(?!\/)/, '/');
    ctx.state.basePath = basePath;
    try {
      await next();
    } finally {
      const { location, link } = ctx.response.headers;
      if (typeof location === 'string') ctx.set('Location', addBasePath(location));
      if (typeof link === 'string') ctx.set('Link', addBasePathToLinks(link, addBasePath));
      const cookieHeaders = [ctx.response.headers['set-cookie'] ?? []].flat();
      if (cookieHeaders.length > 0)
        ctx.set(
          'Set-Cookie',
          cookieHeaders.map((one) => addBasePathToCookie(one, addBasePath)),
        );
      if (typeof ctx.body === 'string' && ctx.response.is('html')) {
        ctx.body = ctx.body.replace(
          /((?:href|src|action)=")(\/[^"]*)/g,
          (_all, start: string, path: string) => start + addBasePath(path),
        );
      }
    }
  };
}

/** `__Host-` cookies require the path `/`; browsers reject any other. */
function addBasePathToCookie(cookie: string, addBasePath: (path: string) => string): string {
  if (cookie.startsWith('__Host-')) return cookie;
  return cookie.replace(
    /(;\s*path=)([^;]*)/i,
    (_all, name: string, path: string) => name + addBasePath(path),
  );
}

/** Adds the base path to each target of a `Link` header. */
function addBasePathToLinks(link: string, addBasePath: (path: string) => string): string {
  const [start, ...targets] = link.split('<');
  const rewritten = targets.map((part) => {
    const end = part.indexOf('>');
    return end < 0 ? part : addBasePath(part.slice(0, end)) + part.slice(end);
  });
  return [start, ...rewritten].join('<');
}
