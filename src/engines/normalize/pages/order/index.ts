import { apart } from '../../../model/gaps.ts';
import { bandsOf, groupsOf, stripsOf } from './bands.ts';
import { areRows, isCentred, isProse } from './column-kinds.ts';
import { columnsOf } from './columns.ts';
import { type Item, sizeOf } from './items.ts';

/** Items below one another that are read on from one to the next. */
export type Flow = {
  /** `rows`: what stands side by side belongs together, as in a form. */
  kind: 'column' | 'rows';
  items: Item[];
  from: number;
  to: number;
};

/** Blank columns narrower than this, in sizes of the font, are gaps between words. */
const leastColumn = 0.75;
/** Cuts within cuts: far more than any page has. */
const deepest = 30;

function flowOf(kind: Flow['kind'], items: Item[]): Flow {
  items.sort((a, b) => (a.line && b.line ? a.base - b.base : a.top - b.top) || a.from - b.from);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    from = Math.min(from, item.from);
    to = Math.max(to, item.to);
  }
  return { kind, items, from, to };
}

/**
 * The items of a page in reading order: white columns part what stands side by side before lines are
 * followed downwards (an XY-cut in which a title may span columns). With `fromRight`, columns are read
 * from the right.
 */
export function flowsOf(items: readonly Item[], fromRight: boolean): Flow[] {
  const flows: Flow[] = [];
  const order = (some: Item[], depth: number): void => {
    const least = leastColumn * sizeOf(some);
    const columns = depth < deepest && some.length > 1 ? columnsOf(some, least) : [some];
    if (columns.length > 1) {
      if (columns.every(isCentred)) {
        for (const group of groupsOf(some)) {
          const own = columnsOf(group, least);
          for (const column of fromRight ? own.reverse() : own)
            flows.push(flowOf('column', column));
        }
        return;
      }
      const parts =
        columns.filter(isProse).length >= 2 ? [] : apart(columns[0], stripsOf(columns.flat()));
      if (parts.length > 1) for (const part of parts) order(part, depth + 1);
      else if (areRows(columns)) flows.push(flowOf('rows', some));
      else if (splitUnder(columns, depth)) return;
      else {
        const inOrder = fromRight ? [...columns].reverse() : columns;
        for (const column of inOrder) order(column, depth + 1);
      }
      return;
    }
    const bands = depth < deepest && some.length > 2 ? bandsOf(some, least, fromRight) : [];
    if (bands.length > 1) for (const band of bands) order(band, depth + 1);
    else flows.push(flowOf('column', some));
  };
  if (items.length > 0) order([...items], 0);
  return flows;

  /**
   * Columns that end at one height, with a blank strip under them: what one of them alone has further
   * down comes after all of them.
   */
  function splitUnder(columns: readonly Item[][], depth: number): boolean {
    const ends = columns.map((column) => Math.max(...column.map(({ bottom }) => bottom)));
    const longest = ends.indexOf(Math.max(...ends));
    const reach = Math.max(...ends.filter((_, at) => at !== longest));
    const long = columns[longest] ?? [];
    const size = sizeOf(long);
    const above = long.filter(({ top, bottom }) => (top + bottom) / 2 < reach);
    const below = long.filter(({ top, bottom }) => (top + bottom) / 2 >= reach);
    if (above.length === 0 || below.length === 0) return false;
    const end = Math.max(...above.map(({ bottom }) => bottom));
    const next = Math.min(...below.map(({ top }) => top));
    if (Math.abs(end - reach) > 1.5 * size || next - Math.max(end, reach) < 0.6 * size)
      return false;
    if (longest === (fromRight ? 0 : columns.length - 1)) return false;
    const others = columns.flatMap((column, at) => (at === longest ? above : column));
    order(others, depth + 1);
    order(below, depth + 1);
    return true;
  }
}
