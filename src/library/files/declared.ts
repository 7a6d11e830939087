/** Types that clients send when they do not know the type. */
const saysNothing = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/** The type that a client declares; null if it does not describe the content. */
export function declaredType(contentType: string | null | undefined): string | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return saysNothing.has(type) ? null : type;
}
