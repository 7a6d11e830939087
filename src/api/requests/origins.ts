import type { Middleware } from 'koa';

/** The request headers that pages may send, in addition to the safelisted ones. */
const allowedRequestHeaders =
  `Authorization X-Service-Project-ID Content-Type Accept Prefer Range If-Match If-None-Match
  If-Range Idempotency-Key Last-Event-ID X-Filename X-Request-Id Traceparent Tracestate
  Cache-Control Tus-Resumable Upload-Length Upload-Offset Upload-Metadata Upload-Checksum
  X-HTTP-Method-Override`
    .split(/\s+/)
    .join(', ');
/** The response headers that pages may read in addition to the safelisted ones. */
const exposedResponseHeaders =
  `ETag Location Link RateLimit RateLimit-Policy Retry-After X-Request-Id Content-Disposition
  Content-Length Content-Range Accept-Ranges Allow Idempotent-Replayed Preference-Applied
  Object-Id WWW-Authenticate Tus-Resumable Tus-Version Tus-Extension Tus-Max-Size
  Tus-Checksum-Algorithm Upload-Offset Upload-Length Upload-Expires Upload-Metadata`
    .split(/\s+/)
    .join(', ');
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const maxAgeSeconds = '600';

/**
 * Lets pages of other origins call `/v1` and read the responses, including errors (Fetch, §3.2).
 * Pages must send a key. Cookies are never allowed, so the portal and the operator pages remain
 * inaccessible.
 */
export function allowOrigins(allowedOrigins: readonly string[]): Middleware {
  const allowsAll = allowedOrigins.includes('*');
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/v1/') && !ctx.path.startsWith('/s/')) return next();
    if (!allowsAll) ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (origin === '' || !(allowsAll || allowedOrigins.includes(origin))) return next();
    ctx.set('Access-Control-Allow-Origin', allowsAll ? '*' : origin);
    if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '') {
      ctx.set('Access-Control-Allow-Methods', methods);
      ctx.set('Access-Control-Allow-Headers', allowedRequestHeaders);
      ctx.set('Access-Control-Max-Age', maxAgeSeconds);
      ctx.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
      ctx.status = 204;
      return;
    }
    ctx.set('Access-Control-Expose-Headers', exposedResponseHeaders);
    await next();
  };
}
