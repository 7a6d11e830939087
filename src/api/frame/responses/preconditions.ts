import { Problem } from '@scriptorium/contracts/problems';

const entityTag = /^\s*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/;

/** Parses a list of entity tags, or `*` (RFC 9110 §8.8.3). Null if malformed. */
function parseTags(value: string): string[] | '*' | null {
  if (value.trim() === '*') return '*';
  const tags: string[] = [];
  let remaining = value;
  while (remaining.trim() !== '') {
    const found = entityTag.exec(remaining);
    if (!found) return null;
    tags.push(found[1]!);
    remaining = remaining.slice(found[0].length);
  }
  return tags.length > 0 ? tags : null;
}

/**
 * Compares If-Match with the ETag of the resource (RFC 9110 §13.1.1, strong comparison).
 * @throws Problem 428 if it is required and missing, 412 if it does not match, 400 if malformed
 */
export function requireMatch(header: string | undefined, etag: string, isRequired: boolean): void {
  if (header === undefined) {
    if (!isRequired) return;
    throw new Problem(
      'precondition_required',
      'The If-Match header is required. Send the ETag of the resource as you last read it.',
      { errors: [{ header: 'If-Match', code: 'required', detail: 'It is required.' }] },
    );
  }
  const tags = readIfMatch(header);
  if (tags === '*' || tags.includes(etag)) return;
  const isWeak = tags.some((tag) => tag.startsWith('W/'));
  const detail = isWeak
    ? 'A weak ETag (`W/"…"`) never matches in If-Match. Send the ETag without `W/`, which proxies that compress add.'
    : 'The resource has changed since you read it. Get the current version and try again.';
  throw new Problem('etag_mismatch', detail);
}

/**
 * Parses an If-Match header.
 * @throws Problem 400 if it is malformed
 */
export function readIfMatch(header: string): string[] | '*' {
  const tags = parseTags(header);
  if (tags !== null) return tags;
  const detail = 'The If-Match header must be `*` or a list of entity tags in double quotes.';
  throw new Problem('malformed_request', detail, {
    errors: [{ header: 'If-Match', code: 'wrong_format', detail }],
  });
}

/** Whether If-None-Match matches the ETag (RFC 9110 §13.1.2, weak comparison). */
export function isKnownEtag(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false;
  const tags = parseTags(header);
  if (tags === null) return false;
  const withoutWeakPrefix = (tag: string): string => tag.replace(/^W\//, '');
  return tags === '*' || tags.some((tag) => withoutWeakPrefix(tag) === withoutWeakPrefix(etag));
}
