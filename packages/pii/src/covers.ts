import { firstWhere } from './first-where.ts';

/** Part of a text, from the index of its first unit to the index after its last. */
type Span = { start: number; end: number };

/**
 * Returns a function that reports whether any of the spans starts at or before `from` and ends at
 * or after `to`. Its run time is logarithmic in the number of spans, because a text may have a
 * hundred thousand.
 */
export function coverTest(spans: readonly Span[]): (from: number, to: number) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let furthest = 0;
  const furthestEnds = sorted.map(({ end }) => {
    furthest = Math.max(furthest, end);
    return furthest;
  });
  return (from, to) => {
    const count = firstWhere(sorted.length, (at) => sorted[at]!.start > from);
    return count > 0 && furthestEnds[count - 1]! >= to;
  };
}
