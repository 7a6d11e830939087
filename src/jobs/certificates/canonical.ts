/**
 * Canonical JSON (RFC 8785): names sorted by their UTF-16 units, no blanks, numbers and strings as
 * ECMAScript writes them. Equal values are equal bytes, whatever wrote them.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`);
  return `{${members.join(',')}}`;
}
