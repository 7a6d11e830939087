import type { PiiFinding } from '../finding.ts';
import { isProse } from '../resolve.ts';

const overlap = (a: PiiFinding, b: PiiFinding): boolean => a.start < b.end && b.start < a.end;
const contains = (a: PiiFinding, b: PiiFinding): boolean => a.start <= b.start && a.end >= b.end;

const inOrder = (a: PiiFinding, b: PiiFinding): number => a.start - b.start;

/** Whether the whole value of a label for an address is a name, as after a label that is misread. */
const isName = (label: PiiFinding, other: PiiFinding): boolean =>
  label.type === 'ADDRESS' && other.type === 'PERSON' && contains(other, label);

/** Returns the findings in prose that are inside a labelled finding of another type. */
function proseInLabelled(labelled: PiiFinding[], prose: PiiFinding[]): Set<PiiFinding> {
  const contained = new Set<PiiFinding>();
  const sorted = prose.toSorted(inOrder);
  let first = 0;
  for (const label of labelled.toSorted(inOrder)) {
    while (first < sorted.length && sorted[first]!.start < label.start) first += 1;
    for (let at = first; at < sorted.length && sorted[at]!.start < label.end; at += 1) {
      const other = sorted[at]!;
      if (other.type !== label.type && contains(label, other) && !isName(label, other))
        contained.add(other);
    }
  }
  return contained;
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
  const numbers = others.filter(isNumber).toSorted(inOrder);
  const replaced = proseInLabelled(
    labelled.filter((label) => !isNumber(label)),
    others.filter(isProse),
  );
  const result: PiiFinding[] = [];
  let first = 0;
  for (const label of labelled.toSorted(inOrder)) {
    if (!isNumber(label)) {
      result.push(label);
      continue;
    }
    while (first < numbers.length && numbers[first]!.end <= label.start) first += 1;
    const merged = { ...label };
    let isContained = false;
    for (let at = first; at < numbers.length && numbers[at]!.start < label.end; at += 1) {
      const other = numbers[at]!;
      if (!overlap(label, other)) continue;
      if (contains(other, label)) {
        isContained ||= !contains(label, other);
        continue;
      }
      replaced.add(other);
      merged.start = Math.min(merged.start, other.start);
      merged.end = Math.max(merged.end, other.end);
      merged.score = Math.max(merged.score, other.score);
    }
    // A merged finding may be wider than the one that contains the label.
    const isWider = merged.start < label.start || merged.end > label.end;
    if (!isContained || isWider) result.push(merged);
  }
  return [...others.filter((other) => !replaced.has(other)), ...result];
}
