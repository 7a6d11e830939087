/**
 * Whether an event type matches a pattern of segments separated by dots. `*` matches one segment,
 * or as the last one all that follow (`documents.*`, `*.job.failed`, `*`).
 */
export function matchesType(pattern: string, type: string): boolean {
  const wanted = pattern.split('.');
  const given = type.split('.');
  for (const [at, segment] of wanted.entries()) {
    if (at >= given.length) return false;
    if (segment === '*' && at === wanted.length - 1) return true;
    if (segment !== '*' && segment !== given[at]) return false;
  }
  return wanted.length === given.length;
}
