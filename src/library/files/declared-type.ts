/** Types that clients send if they do not know the type of a file. */
const genericTypes = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/** The type that a client declares; null if it does not describe the content. */
export function declaredType(contentType: string | null | undefined): string | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return genericTypes.has(type) ? null : type;
}
