import type { PiiFinding } from '../finding.ts';

const overlap = (a: PiiFinding, b: PiiFinding): boolean => a.start < b.end && b.start < a.end;
const contains = (a: PiiFinding, b: PiiFinding): boolean => a.start <= b.start && a.end >= b.end;

/**
 * Makes labelled numbers and those found by their form agree where they overlap: the wider one stays,
 * so that no digits of a value are left over. `isNumber` is false for names and addresses.
 */
export function reconcile(
  labelled: readonly PiiFinding[],
  others: readonly PiiFinding[],
  isNumber: (finding: PiiFinding) => boolean,
): PiiFinding[] {
  const rest = others.filter(isNumber).toSorted((a, b) => a.start - b.start);
  const gone = new Set<PiiFinding>();
  const kept: PiiFinding[] = [];
  let first = 0;
  for (const label of labelled.toSorted((a, b) => a.start - b.start)) {
    if (!isNumber(label)) {
      kept.push(label);
      continue;
    }
    while (first < rest.length && rest[first]!.end <= label.start) first += 1;
    const own = { ...label };
    let within = false;
    for (let at = first; at < rest.length && rest[at]!.start < label.end; at += 1) {
      const other = rest[at]!;
      if (!overlap(label, other)) continue;
      if (contains(other, label)) {
        within ||= !contains(label, other);
        continue;
      }
      gone.add(other);
      own.start = Math.min(own.start, other.start);
      own.end = Math.max(own.end, other.end);
      own.score = Math.max(own.score, other.score);
    }
    if (!within) kept.push(own);
  }
  return [...others.filter((other) => !gone.has(other)), ...kept];
}
