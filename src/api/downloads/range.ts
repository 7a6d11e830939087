/** Requests for a part of a representation (RFC 9110 §14), one range at a time. */

/** `end` is inclusive. `unsatisfiable` is answered with 416 and a `Content-Range` that says the length only. */
type RangeAnswer =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

const WHOLE: RangeAnswer = { kind: 'whole' };
const MAX_LENGTH = 4096;

/**
 * Reads a `Range` header against a length in bytes. What is no range of bytes, or malformed, is
 * ignored as §14.2 says: whole. So are several ranges, which a server may. With `If-Range` the range
 * counts only when it is the current strong `etag`; dates and weak tags never are.
 */
export function parseRange(input: {
  range: string | undefined;
  length: number;
  ifRange?: string | undefined;
  etag?: string | undefined;
}): RangeAnswer {
  const { range, length, ifRange, etag } = input;
  if (range === undefined || range.length > MAX_LENGTH) return WHOLE;
  if (ifRange !== undefined && !isCurrent(ifRange.trim(), etag)) return WHOLE;
  const set = /^\s*bytes\s*=\s*([\s\S]*)$/i.exec(range)?.[1];
  if (set === undefined) return WHOLE;
  // A list may hold empty elements (§5.6.1): "bytes=,0-4" is one range.
  const specs = set.split(',').flatMap((spec) => (spec.trim() === '' ? [] : [spec.trim()]));
  const found = specs.length === 1 ? /^(\d*)-(\d*)$/.exec(specs[0] ?? '') : null;
  if (!found) return WHOLE;
  const first = found[1] ?? '';
  const last = found[2] ?? '';
  if (first === '') {
    if (last === '') return WHOLE;
    const suffix = Number(last);
    if (suffix === 0 || length === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: Math.max(0, length - suffix), end: length - 1 };
  }
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return WHOLE;
  if (start >= length) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: Math.min(end, length - 1) };
}

function isCurrent(ifRange: string, etag: string | undefined): boolean {
  return etag !== undefined && !etag.startsWith('W/') && ifRange === etag;
}
