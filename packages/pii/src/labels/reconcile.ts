import type { PiiFinding } from '../finding.ts';
import { isProse } from '../resolve.ts';

const overlap = (a: PiiFinding, b: PiiFinding): boolean => a.start < b.end && b.start < a.end;
const contains = (a: PiiFinding, b: PiiFinding): boolean => a.start <= b.start && a.end >= b.end;

const inOrder = (a: PiiFinding, b: PiiFinding): number => a.start - b.start;

/** Returns the findings by language that are inside a labelled finding of another type. */
function otherTypes(labelled: PiiFinding[], prose: PiiFinding[]): Set<PiiFinding> {
  const found = new Set<PiiFinding>();
  const sorted = prose.toSorted(inOrder);
  let first = 0;
  for (const label of labelled.toSorted(inOrder)) {
    while (first < sorted.length && sorted[first]!.start < label.start) first += 1;
    for (let at = first; at < sorted.length && sorted[at]!.start < label.end; at += 1) {
      const other = sorted[at]!;
      if (other.type !== label.type && contains(label, other)) found.add(other);
    }
  }
  return found;
}

/**
 * Reconciles overlapping labelled numbers and numbers that were found by form. The wider finding is
 * kept, so that no digits of a value remain. Findings inside a labelled name or address get its
 * type. `isNumber` is false for names and addresses.
 */
export function reconcile(
  labelled: readonly PiiFinding[],
  others: readonly PiiFinding[],
  isNumber: (finding: PiiFinding) => boolean,
): PiiFinding[] {
  const rest = others.filter(isNumber).toSorted(inOrder);
  const gone = otherTypes(
    labelled.filter((label) => !isNumber(label)),
    others.filter(isProse),
  );
  const kept: PiiFinding[] = [];
  let first = 0;
  for (const label of labelled.toSorted(inOrder)) {
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
