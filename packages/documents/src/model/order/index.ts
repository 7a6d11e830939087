import { bandsOf, groupsOf, stripsOf } from './bands.ts';
import { areRows, isCentred, isJustified, isProse } from './column-kinds.ts';
import { columnsOf } from './columns.ts';
import { splitFirstColumn } from './gaps.ts';
import { type HasWords, type Item, sizeOf } from './items.ts';

/** Items above each other that are read in sequence. */
export type Flow<Line extends HasWords = HasWords> = {
  /** `rows`: items that are side by side belong together, as in a form. */
  kind: 'column' | 'rows';
  items: Item<Line>[];
  from: number;
  to: number;
};

/** Minimum width of a gap between columns, in font sizes. Narrower gaps separate words. */
export const minColumnGap = 0.75;
/** Maximum depth of nested cuts, far more than on any real page. */
const maxDepth = 30;

function flowOf<Line extends HasWords>(kind: Flow['kind'], items: Item<Line>[]): Flow<Line> {
  items.sort((a, b) => (a.line && b.line ? a.base - b.base : a.top - b.top) || a.from - b.from);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    from = Math.min(from, item.from);
    to = Math.max(to, item.to);
  }
  return { kind, items, from, to };
}

/**
 * Returns the items of a page in reading order. Divides the page at gaps between columns before it
 * follows lines downwards (an XY-cut in which a title may span columns). With `rightToLeft`,
 * columns are read from right to left.
 */
export function flowsOf<Line extends HasWords>(
  items: readonly Item<Line>[],
  rightToLeft: boolean,
): Flow<Line>[] {
  const flows: Flow<Line>[] = [];
  const order = (region: Item<Line>[], depth: number): void => {
    const minWidth = minColumnGap * sizeOf(region);
    const columns = depth < maxDepth && region.length > 1 ? columnsOf(region, minWidth) : [region];
    if (columns.length > 1) {
      if (columns.every(isCentred)) {
        for (const group of groupsOf(region)) {
          const groupColumns = columnsOf(group, minWidth);
          for (const column of rightToLeft ? groupColumns.reverse() : groupColumns)
            flows.push(flowOf('column', column));
        }
        return;
      }
      const parts =
        columns.filter(isProse).length >= 2
          ? []
          : splitFirstColumn(columns[0], stripsOf(columns.flat()));
      if (parts.length > 1) for (const part of parts) order(part, depth + 1);
      else if (areRows(columns)) flows.push(flowOf('rows', region));
      else if (splitBelow(columns, depth)) return;
      else {
        const inOrder = rightToLeft ? [...columns].reverse() : columns;
        for (const column of inOrder) order(column, depth + 1);
      }
      return;
    }
    const mayHaveBands = depth < maxDepth && region.length > 2 && !isJustified(region);
    const bands = mayHaveBands ? bandsOf(region, minWidth, rightToLeft) : [];
    if (bands.length > 1) for (const band of bands) order(band, depth + 1);
    else flows.push(flowOf('column', region));
  };
  if (items.length > 0) order([...items], 0);
  return flows;

  /**
   * Splits items below columns that end at the same height above an empty strip. Items of one
   * column that are further down are then read after all columns.
   */
  function splitBelow(columns: readonly Item<Line>[][], depth: number): boolean {
    const ends = columns.map((column) => Math.max(...column.map(({ bottom }) => bottom)));
    const longest = ends.indexOf(Math.max(...ends));
    const othersEnd = Math.max(...ends.filter((_, at) => at !== longest));
    const long = columns[longest] ?? [];
    const size = sizeOf(long);
    const above = long.filter(({ top, bottom }) => (top + bottom) / 2 < othersEnd);
    const below = long.filter(({ top, bottom }) => (top + bottom) / 2 >= othersEnd);
    if (above.length === 0 || below.length === 0) return false;
    const end = Math.max(...above.map(({ bottom }) => bottom));
    const next = Math.min(...below.map(({ top }) => top));
    if (Math.abs(end - othersEnd) > 1.5 * size || next - Math.max(end, othersEnd) < 0.6 * size)
      return false;
    if (longest === (rightToLeft ? 0 : columns.length - 1)) return false;
    const upperItems = columns.flatMap((column, at) => (at === longest ? above : column));
    order(upperItems, depth + 1);
    order(below, depth + 1);
    return true;
  }
}
