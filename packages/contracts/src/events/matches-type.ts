/**
 * Whether an event type matches a pattern of segments separated by dots. `*` matches one segment;
 * as the last segment, it matches all that follow (`documents.*`, `*.job.failed`, `*`).
 */
export function matchesType(pattern: string, type: string): boolean {
  const patternSegments = pattern.split('.');
  const typeSegments = type.split('.');
  for (const [at, segment] of patternSegments.entries()) {
    if (at >= typeSegments.length) return false;
    if (segment === '*' && at === patternSegments.length - 1) return true;
    if (segment !== '*' && segment !== typeSegments[at]) return false;
  }
  return patternSegments.length === typeSegments.length;
}
