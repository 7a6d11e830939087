import { Problem } from '../../contracts/problems.ts';

const entityTag = /^\s*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")\s*(?:,|$)/;

/** A list of entity tags, or `*` (RFC 9110 §8.8.3). Null when it is neither. */
function parseTags(value: string): string[] | '*' | null {
  if (value.trim() === '*') return '*';
  const tags: string[] = [];
  let rest = value;
  while (rest.trim() !== '') {
    const found = entityTag.exec(rest);
    if (!found) return null;
    tags.push(found[1]!);
    rest = rest.slice(found[0].length);
  }
  return tags.length > 0 ? tags : null;
}

/**
 * Holds If-Match against the resource's ETag (RFC 9110 §13.1.1, strong comparison).
 * @throws Problem 428 when it is required and missing, 412 when it does not match, 400 when malformed
 */
export function requireMatch(header: string | undefined, etag: string, required: boolean): void {
  if (header === undefined) {
    if (!required) return;
    throw new Problem(
      'precondition_required',
      'Send If-Match with the ETag of the resource as you last read it.',
      { errors: [{ header: 'If-Match', code: 'required', detail: 'It is missing.' }] },
    );
  }
  const tags = readIfMatch(header);
  if (tags === '*' || tags.includes(etag)) return;
  throw new Problem('etag_mismatch', 'The resource has changed since you read it; read it again.');
}

/**
 * The entity tags of an If-Match.
 * @throws Problem 400 when it is malformed
 */
export function readIfMatch(header: string): string[] | '*' {
  const tags = parseTags(header);
  if (tags !== null) return tags;
  const detail = 'If-Match must be *, or entity tags in double quotes.';
  throw new Problem('malformed_request', detail, {
    errors: [{ header: 'If-Match', code: 'wrong_format', detail }],
  });
}

/** Whether If-None-Match says that the client has this already (RFC 9110 §13.1.2, weak comparison). */
export function isKnown(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false;
  const tags = parseTags(header);
  if (tags === null) return false;
  const weak = (tag: string): string => tag.replace(/^W\//, '');
  return tags === '*' || tags.some((tag) => weak(tag) === weak(etag));
}
