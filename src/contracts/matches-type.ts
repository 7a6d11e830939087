/**
 * Whether a type of event matches a pattern: dotted segments, where `*` stands for one segment, or
 * as the last one for all that follow (`documents.*`, `*.job.failed`, `*`).
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
