import { firstWhere } from '@scriptorium/pii/first-where';
import { gapsOf, type Span } from './gaps.ts';
import { type HasWords, type Item, isMarker } from './items.ts';

/**
 * Minimum width of a gap that long lines narrow, as a share of the usual minimum; maximum share of
 * long lines; and minimum number of lines in a column.
 */
const minNarrowedGap = 0.4;
const maxLongShare = 0.08;
const minLines = 12;

/** Returns the gaps between columns, including gaps that only a few long lines narrow. */
function columnGaps(items: readonly Item[], minWidth: number): Span[] {
  const all = gapsOf(items, minNarrowedGap * minWidth);
  return all.filter(({ from, to }) => {
    if (to - from >= minWidth) return true;
    const [left, right] = [
      items.filter((item) => item.to <= from),
      items.filter((item) => item.from >= to),
    ];
    if (Math.min(left.length, right.length) < minLines) return false;
    const longLines = left.filter((item) => item.to > to - 1.5 * minWidth).length;
    return longLines <= maxLongShare * left.length;
  });
}

/** Groups items into columns by the gaps between them. Markers join the next column. */
export function columnsOf<Line extends HasWords>(
  items: readonly Item<Line>[],
  minWidth: number,
): Item<Line>[][] {
  const gaps = columnGaps(items, minWidth);
  if (gaps.length === 0) return [[...items]];
  const columns: Item<Line>[][] = [...gaps, null].map(() => []);
  for (const item of items) {
    const at = firstWhere(gaps.length, (one) => item.from < gaps[one]!.to - 1e-6);
    columns[at]?.push(item);
  }
  const joinedColumns: Item<Line>[][] = [];
  let markers: Item<Line>[] = [];
  for (const [at, column] of columns.entries()) {
    const next = columns[at + 1];
    if (next && column.every(isMarker)) {
      const bases = new Set(next.flatMap(({ base }) => [Math.round(base), Math.round(base) + 1]));
      const levelCount = column.filter(({ base }) => bases.has(Math.round(base))).length;
      if (levelCount * 2 > column.length) {
        markers.push(...column);
        continue;
      }
    }
    joinedColumns.push([...markers, ...column]);
    markers = [];
  }
  return joinedColumns;
}
