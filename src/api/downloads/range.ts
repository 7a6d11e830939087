/** Range requests (RFC 9110 §14) for a single range. */

/** `end` is inclusive. `unsatisfiable` becomes a 416 with the length in `Content-Range`. */
type ParsedRange =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

const WHOLE: ParsedRange = { kind: 'whole' };
const MAX_LENGTH = 4096;

/**
 * Parses a `Range` header for a length in bytes. Malformed headers, other units and multiple ranges
 * are ignored, as §14.2 allows. With `If-Range`, the range applies only if it is the current strong
 * `etag`.
 */
export function parseRange(input: {
  range: string | undefined;
  length: number;
  ifRange?: string | undefined;
  etag?: string | undefined;
}): ParsedRange {
  const { range, length, ifRange, etag } = input;
  if (range === undefined || range.length > MAX_LENGTH) return WHOLE;
  if (ifRange !== undefined && !isCurrent(ifRange.trim(), etag)) return WHOLE;
  const rangeSet = /^\s*bytes\s*=\s*([\s\S]*)$/i.exec(range)?.[1];
  if (rangeSet === undefined) return WHOLE;
  // Lists may have empty elements (§5.6.1): "bytes=,0-4" is one range.
  const specs = rangeSet.split(',').flatMap((spec) => (spec.trim() === '' ? [] : [spec.trim()]));
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
