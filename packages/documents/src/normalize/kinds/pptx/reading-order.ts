/** The left, top, right and bottom edge, in any unit. */
export type Frame = readonly [number, number, number, number];
export type PositionedItem<T> = { frame: Frame | null; item: T };

const maxDepth = 12;

/**
 * Sorts the shapes of a slide into reading order: from top to bottom, then from left to right,
 * where a gap separates them. Other shapes stay in the order of the file. A shape without a
 * position follows the shape before it.
 */
export function sortInReadingOrder<T>(shapes: readonly PositionedItem<T>[]): T[] {
  const groups: { frame: Frame; items: T[] }[] = [];
  const first: T[] = [];
  for (const { frame, item } of shapes) {
    if (frame) groups.push({ frame, items: [item] });
    else (groups.at(-1)?.items ?? first).push(item);
  }
  return [...first, ...splitRecursively(groups, 1, 0).flatMap(({ items }) => items)];
}

type Group<T> = { frame: Frame; items: T[] };

/** Splits groups along an axis (1: rows, 0: columns), and then each part along the other axis. */
function splitRecursively<T>(groups: readonly Group<T>[], axis: 0 | 1, depth: number): Group<T>[] {
  if (groups.length < 2 || depth > maxDepth) return [...groups];
  const parts = split(groups, axis);
  const other = axis === 1 ? 0 : 1;
  if (parts.length > 1) return parts.flatMap((part) => splitRecursively(part, other, depth + 1));
  const otherParts = split(groups, other);
  return otherParts.length > 1
    ? otherParts.flatMap((part) => splitRecursively(part, axis, depth + 1))
    : [...groups];
}

/**
 * Neighbouring frames may overlap by a tenth, because frames are larger than their visible text.
 */
const maxOverlapShare = 0.1;

function split<T>(groups: readonly Group<T>[], axis: 0 | 1): Group<T>[][] {
  const start = ({ frame }: Group<T>): number => frame[axis];
  const end = ({ frame }: Group<T>): number => frame[axis + 2] ?? 0;
  const sorted = groups.toSorted((a, b) => start(a) - start(b));
  const parts: Group<T>[][] = [];
  let maxEnd = Number.NEGATIVE_INFINITY;
  for (const group of sorted) {
    const tolerance = (end(group) - start(group)) * maxOverlapShare;
    if (start(group) + tolerance >= maxEnd) parts.push([]);
    parts.at(-1)?.push(group);
    maxEnd = Math.max(maxEnd, end(group));
  }
  // Within a part, the order of the file applies.
  const fileOrder = new Map(groups.map((group, at) => [group, at]));
  return parts.map((part) =>
    part.toSorted((a, b) => (fileOrder.get(a) ?? 0) - (fileOrder.get(b) ?? 0)),
  );
}
