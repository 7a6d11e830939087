/** What clients send that do not know or do not say what they send. */
const saysNothing = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/** The type that a client declares, where it declares one that means something; else null. */
export function declaredType(contentType: string | null | undefined): string | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return saysNothing.has(type) ? null : type;
}
