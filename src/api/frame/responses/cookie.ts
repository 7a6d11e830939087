import type { Context } from 'koa';

/** The name of a cookie. */
interface CookieName {
  name: string;
  /**
   * The prefix of the name over TLS (RFC 6265bis §4.1.3). Browsers accept `__Host-` cookies only
   * from this host and for all paths, and `__Secure-` cookies only over TLS.
   */
  prefix: '__Host-' | '__Secure-';
}

/** A cookie that only the server reads. */
interface Cookie extends CookieName {
  value: string;
  /** Without TLS, or with `__Secure-`, the cookie is sent to this path only. */
  path: string;
  /** Seconds; 0 removes the cookie. Sent as Max-Age, since Expires depends on both clocks. */
  maxAge: number;
  /** Lax: the cookie is sent when another site links here. */
  sameSite: 'Strict' | 'Lax';
  /** Whether the request came over TLS. */
  secure: boolean;
}

/** The value of a Set-Cookie header. */
export function cookieHeader(cookie: Cookie): string {
  const { value, maxAge, sameSite, secure, prefix } = cookie;
  const path = secure && prefix === '__Host-' ? '/' : cookie.path;
  const flags = `Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}`;
  return `${nameOf(cookie, secure)}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}

/** The value of a cookie in a request; undefined without one. */
export function readCookie(ctx: Context, cookie: CookieName): string | undefined {
  return ctx.cookies.get(nameOf(cookie, ctx.secure));
}

function nameOf({ name, prefix }: CookieName, secure: boolean): string {
  return secure ? prefix + name : name;
}
