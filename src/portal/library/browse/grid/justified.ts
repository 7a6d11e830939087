import type { Item } from '../item.ts';
import type { View } from '../view.ts';
import { clamp, type GridLayout, scales } from './grid-layout.ts';

/** Wider and taller pictures are cut, or they would leave a row to themselves or be a line. */
const [narrowest, widest] = [0.5, 3];
/** Of a file without a picture: a sheet of paper. */
const ofSheet = 0.8;
/** Of a tile whose picture is not known yet. */
const usual = 1.4;
/** How far the last row may grow to fill the width. */
const most = 1.25;

/** Width by height of an item; undefined until its picture is known. */
function ratioOf({ picture, pending }: Item): number | undefined {
  if (pending) return undefined;
  if (!picture) return ofSheet;
  return Math.max(narrowest, Math.min(widest, picture.width / picture.height));
}

interface Row {
  first: number;
  top: number;
  height: number;
}

/** The rows that are filled, and from what. */
export interface Filled {
  items: readonly Item[];
  width: number;
  wanted: number;
  gap: number;
  /** Up to the first item whose picture is not known. */
  ratios: readonly number[];
  rows: readonly Row[];
  /** Where the rows end. */
  first: number;
  top: number;
}

/**
 * Fills rows one after the other, each with as many tiles as bring its height nearest to the wanted one.
 * Rows of `before` whose tiles, and the next one, have not changed stay: there may be many.
 */
export function fill(
  before: Filled | null,
  items: readonly Item[],
  width: number,
  rem: number,
  density: View['density'],
): Filled {
  const gap = 0.5 * rem;
  const wanted = (width < 40 * rem ? 9 : 12) * rem * scales[density];
  const same =
    before?.width === width && before.wanted === wanted && before.gap === gap
      ? unchanged(before, items)
      : 0;
  const ratios = before?.ratios.slice(0, same) ?? [];
  for (let at = same; at < items.length; at++) {
    const ratio = ratioOf(items[at]!);
    if (ratio === undefined) break;
    ratios.push(ratio);
  }
  const kept = before && same > 0 ? lastRow(before.rows, ({ first }) => first < same) : 0;
  const rows = before?.rows.slice(0, kept) ?? [];
  let { first, top } = (kept > 0 && before?.rows[kept]) || { first: 0, top: 0 };
  let sum = 0;
  const heightOf = (across: number, tiles: number): number => (width - gap * (tiles - 1)) / across;
  const end = (next: number, height: number): void => {
    rows.push({ first, top, height });
    top += height + gap;
    first = next;
    sum = 0;
  };
  for (let at = first; at < ratios.length; at++) {
    const ratio = ratios[at]!;
    const without = at > first ? heightOf(sum, at - first) : Number.POSITIVE_INFINITY;
    const height = heightOf(sum + ratio, at - first + 1);
    if (height > wanted) sum += ratio;
    // By factors: a row of half the height is as far off as one of twice the height.
    else if (wanted / height <= without / wanted) end(at + 1, height);
    else {
      end(at, without);
      sum = ratio;
      if (heightOf(sum, 1) <= wanted) end(at + 1, heightOf(sum, 1));
    }
  }
  return { items, width, wanted, gap, ratios, rows, first, top };
}

/** How many items at the beginning have the ratios that they had. */
function unchanged({ items: before, ratios }: Filled, items: readonly Item[]): number {
  const most = Math.min(ratios.length, items.length);
  let same = 0;
  while (same < most && before[same] === items[same]) same++;
  return same;
}

/**
 * Lays out pictures uncut, in rows that fill the width. Rows keep their place while more items load:
 * those after the filled ones are estimated, unless there are no more items.
 */
export function justified(filled: Filled, count: number): GridLayout {
  const { width, wanted, gap, ratios } = filled;
  const rows = [...filled.rows];
  let { first: known, top: below } = filled;
  if (ratios.length === count && known < count) {
    const sum = ratios.slice(known).reduce((all, ratio) => all + ratio, 0);
    const height = Math.min((width - gap * (count - known - 1)) / sum, wanted * most);
    rows.push({ first: known, top: below, height });
    known = count;
    below += height + gap;
  }
  const settled = rows.length;
  const mean =
    ratios.length === 0 ? usual : ratios.reduce((all, one) => all + one, 0) / ratios.length;
  const across = Math.max(1, Math.round((width + gap) / (wanted * mean + gap)));
  const tile = (width - gap * (across - 1)) / across;
  const step = wanted + gap;
  const total = settled + Math.ceil((count - known) / across);
  const rowOf = (index: number): number =>
    index >= known
      ? settled + Math.floor((index - known) / across)
      : lastRow(rows, ({ first }) => first <= index);
  return {
    rows: total,
    height: below + (total - settled) * step,
    gap,
    columns: null,
    firstOf: (row) =>
      row < settled ? rows[row]!.first : Math.min(count, known + (row - settled) * across),
    rowOf,
    topOf: (row) => (row < settled ? rows[row]!.top : below + (row - settled) * step),
    heightOf: (row) => (row < settled ? rows[row]!.height : wanted),
    rowAt: (y) =>
      clamp(
        y >= below
          ? settled + Math.floor((y - below) / step)
          : lastRow(rows, ({ top }) => top <= y),
        total,
      ),
    placeOf: (index) => {
      if (index >= known) return { left: ((index - known) % across) * (tile + gap), width: tile };
      const { first, height } = rows[rowOf(index)]!;
      let left = 0;
      for (let at = first; at < index; at++) left += ratios[at]! * height + gap;
      return { left, width: ratios[index]! * height };
    },
  };
}

/** The index of the last row for which a condition holds that holds for those before, or 0. */
function lastRow(rows: readonly Row[], holds: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(rows[middle]!)) low = middle;
    else high = middle - 1;
  }
  return low;
}
