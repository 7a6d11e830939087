/** A cookie that only the server reads. */
interface Cookie {
  name: string;
  value: string;
  path: string;
  /** Seconds; 0 removes it. Sent as Max-Age: Expires would depend on the clocks of both sides. */
  maxAge: number;
  /** Lax: it comes along when another site leads here. */
  sameSite: 'Strict' | 'Lax';
  /** Whether the request came over TLS. */
  secure: boolean;
}

/** The value of a Set-Cookie header (RFC 6265). */
export function cookieHeader({ name, value, path, maxAge, sameSite, secure }: Cookie): string {
  const flags = `Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}`;
  return `${name}=${value}; ${flags}${secure ? '; Secure' : ''}`;
}
