import type { Item } from '../item.ts';
import type { Items } from '../list/items.ts';
import type { View } from '../view.ts';
import { clamp, type GridLayout, scales } from './grid-layout.ts';

/**
 * Wider and taller pictures are cropped; otherwise they would fill a row alone or become a thin
 * line.
 */
const [narrowest, widest] = [0.5, 3];
/** Aspect ratio of a file without a picture: a sheet of paper. */
const ofSheet = 0.8;
/** Aspect ratio of a tile whose picture is not known yet. */
const usual = 1.4;
/** Maximum factor by which the last row of the list may grow to fill the width. */
const maxStretch = 1.25;
/** The number of items that are laid out together. */
const blockSize = 100;

/** Width divided by height of an item; undefined until its picture is known. */
function ratioOf(item: Item | undefined): number | undefined {
  if (!item || item.pending) return undefined;
  const { picture } = item;
  if (!picture) return ofSheet;
  return Math.max(narrowest, Math.min(widest, picture.width / picture.height));
}

interface Row {
  /** The index of its first item, within the block. */
  first: number;
  top: number;
  height: number;
}

/** The rows of consecutive items, which do not depend on any others. */
interface Block {
  items: readonly (Item | undefined)[];
  isLast: boolean;
  ratios: readonly number[];
  rows: readonly Row[];
  height: number;
}

/** The blocks that are laid out, and their parameters. */
export interface Filled {
  width: number;
  wanted: number;
  gap: number;
  count: number;
  /** Blocks by position; those with unknown items are missing. */
  blocks: ReadonlyMap<number, Block>;
}

/**
 * Lays out the blocks whose items are known. Blocks of `before` whose items have not changed are
 * kept: there may be many.
 */
export function fill(
  before: Filled | null,
  items: Items,
  count: number,
  width: number,
  rem: number,
  density: View['density'],
): Filled {
  const gap = 0.5 * rem;
  const wanted = (width < 40 * rem ? 9 : 12) * rem * scales[density];
  const isSame = before?.width === width && before.wanted === wanted && before.gap === gap;
  const blocks = new Map<number, Block>();
  const perPage = items.pageSize / blockSize;
  const places = new Set<number>();
  for (const page of items.pages.keys()) {
    // Removed items shift the others by at most their number.
    const first = Math.max(0, Math.floor((page * items.pageSize - items.left) / blockSize));
    for (let at = first; at < (page + 1) * perPage; at++) places.add(at);
  }
  for (const place of places) {
    const [from, to] = [place * blockSize, Math.min(count, (place + 1) * blockSize)];
    if (from >= to) continue;
    const part = items.slice(from, to);
    const isLast = to === count;
    const kept = isSame ? before.blocks.get(place) : undefined;
    if (kept?.isLast === isLast && isEqual(kept.items, part)) {
      blocks.set(place, kept);
      continue;
    }
    const ratios = part.map(ratioOf).filter((ratio) => ratio !== undefined);
    if (ratios.length < part.length) continue;
    const rows = rowsOf(ratios, { width, wanted, gap, isLast });
    const last = rows.at(-1)!;
    blocks.set(place, { items: part, isLast, ratios, rows, height: last.top + last.height + gap });
  }
  return { width, wanted, gap, count, blocks };
}

const isEqual = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/**
 * Rows that fill the width, with heights as close as possible to the wanted one and similar numbers
 * of items. At the end of the list, the last row need not be filled.
 */
function rowsOf(
  ratios: readonly number[],
  { width, wanted, gap, isLast }: { width: number; wanted: number; gap: number; isLast: boolean },
): Row[] {
  const sizes = ratios.map((ratio) => ratio * wanted + gap);
  const across = sizes.reduce((all, one) => all + one, 0) / (width + gap);
  const count = Math.max(1, Math.min(ratios.length, Math.round(across)));
  /** The share of the width that each row takes, at the wanted height. */
  const share = isLast ? 1 : across / count;
  const rows: Row[] = [];
  let [first, top, sum] = [0, 0, 0];
  const end = (next: number, limit: number): void => {
    const inRow = ratios.slice(first, next);
    const ratio = inRow.reduce((all, one) => all + one, 0);
    const height = Math.min((width - gap * (inRow.length - 1)) / ratio, limit);
    rows.push({ first, top, height });
    top += height + gap;
    first = next;
  };
  for (const [at, size] of sizes.entries()) {
    const part = size / (width + gap);
    const goal = (rows.length + 1) * share;
    const isOver = sum + part - goal > goal - sum;
    if (at > first && isOver && (isLast || rows.length < count - 1)) {
      end(at, Number.POSITIVE_INFINITY);
    }
    sum += part;
  }
  end(ratios.length, isLast ? wanted * maxStretch : Number.POSITIVE_INFINITY);
  return rows;
}

/**
 * Lays out uncropped pictures in rows that fill the width. The sizes of unknown blocks are
 * estimated.
 */
export function justified({ width, wanted, gap, count, blocks }: Filled): GridLayout {
  const known = [...blocks.values()];
  const sum = known.reduce(
    (all, { ratios }) => all + ratios.reduce((one, ratio) => one + ratio, 0),
    0,
  );
  const number = known.reduce((all, { ratios }) => all + ratios.length, 0);
  const mean = number === 0 ? usual : sum / number;
  const across = Math.max(1, Math.round((width + gap) / (wanted * mean + gap)));
  const tile = (width - gap * (across - 1)) / across;
  const step = wanted + gap;
  /** For each block, and for the end: its first row, and its top. */
  const [firstRows, tops] = [[0], [0]];
  const total = Math.ceil(count / blockSize);
  for (let place = 0; place < total; place++) {
    const block = blocks.get(place);
    const rows = block
      ? block.rows.length
      : Math.ceil(Math.min(blockSize, count - place * blockSize) / across);
    firstRows.push(firstRows[place]! + rows);
    tops.push(tops[place]! + (block ? block.height : rows * step));
  }
  const rows = firstRows[total]!;
  /** The block of a row, and the row within it. */
  const within = (row: number): { place: number; block: Block | undefined; at: number } => {
    const place = Math.min(
      total - 1,
      lastOf(total, (one) => firstRows[one]! <= row),
    );
    return { place, block: blocks.get(place), at: row - firstRows[place]! };
  };
  return {
    rows,
    height: tops[total]!,
    gap,
    columns: null,
    firstOf: (row) => {
      if (row >= rows) return count;
      const { place, block, at } = within(row);
      return place * blockSize + (block ? block.rows[at]!.first : at * across);
    },
    rowOf: (index) => {
      const place = Math.floor(index / blockSize);
      const [block, at] = [blocks.get(place), index - place * blockSize];
      const row = block
        ? lastOf(block.rows.length, (one) => block.rows[one]!.first <= at)
        : Math.floor(at / across);
      return (firstRows[place] ?? rows) + row;
    },
    topOf: (row) => {
      if (row >= rows) return tops[total]!;
      const { place, block, at } = within(row);
      return tops[place]! + (block ? block.rows[at]!.top : at * step);
    },
    heightOf: (row) => {
      if (row >= rows) return wanted;
      const { block, at } = within(row);
      return block ? block.rows[at]!.height : wanted;
    },
    rowAt: (y) => {
      if (total === 0) return 0;
      const place = Math.min(
        total - 1,
        lastOf(total, (one) => tops[one]! <= y),
      );
      const [block, below] = [blocks.get(place), y - tops[place]!];
      const row = block
        ? lastOf(block.rows.length, (one) => block.rows[one]!.top <= below)
        : Math.max(0, Math.floor(below / step));
      return clamp(Math.min(firstRows[place]! + row, firstRows[place + 1]! - 1), rows);
    },
    placeOf: (index) => {
      const place = Math.floor(index / blockSize);
      const [block, at] = [blocks.get(place), index - place * blockSize];
      if (!block) return { left: (at % across) * (tile + gap), width: tile };
      const { first, height } =
        block.rows[lastOf(block.rows.length, (one) => block.rows[one]!.first <= at)]!;
      let left = 0;
      for (let before = first; before < at; before++) left += block.ratios[before]! * height + gap;
      return { left, width: block.ratios[at]! * height };
    },
  };
}

/**
 * Returns the last of `count` numbers that satisfies a condition which also holds for all smaller
 * ones, or 0.
 */
function lastOf(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
