import type { Item } from '../item.ts';
import type { Items } from '../list/items.ts';
import type { View } from '../view.ts';
import { clampRow, type GridLayout, scales } from './grid-layout.ts';

/**
 * Wider and taller pictures are cropped; otherwise they would fill a row alone or become a thin
 * line.
 */
const [minRatio, maxRatio] = [0.5, 3];
/** Aspect ratio of a file without a picture: that of a sheet of paper. */
const sheetRatio = 0.8;
/** Aspect ratio of a tile whose picture is not known yet. */
const defaultRatio = 1.4;
/** Maximum factor by which the last row of the list may grow to fill the width. */
const maxStretch = 1.25;
/** The number of items that are laid out together. */
const blockSize = 100;

/** Width divided by height of an item; undefined until its picture is known. */
function ratioOf(item: Item | undefined): number | undefined {
  if (!item || item.pending) return undefined;
  const { picture } = item;
  if (!picture) return sheetRatio;
  return Math.max(minRatio, Math.min(maxRatio, picture.width / picture.height));
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
export interface JustifiedBlocks {
  width: number;
  targetHeight: number;
  gap: number;
  count: number;
  /** Blocks by position; those with unknown items are missing. */
  blocks: ReadonlyMap<number, Block>;
}

/**
 * Lays out the blocks whose items are known. Blocks of `previous` whose items have not changed are
 * reused, because there may be many.
 */
export function layOutBlocks(
  previous: JustifiedBlocks | null,
  items: Items,
  count: number,
  width: number,
  rem: number,
  density: View['density'],
): JustifiedBlocks {
  const gap = 0.5 * rem;
  const wanted = (width < 40 * rem ? 9 : 12) * rem * scales[density];
  const isSame =
    previous?.width === width && previous.targetHeight === wanted && previous.gap === gap;
  const blocks = new Map<number, Block>();
  const perPage = items.pageSize / blockSize;
  const positions = new Set<number>();
  for (const page of items.pages.keys()) {
    // Removed items shift the others by at most their number.
    const first = Math.max(0, Math.floor((page * items.pageSize - items.removedCount) / blockSize));
    for (let at = first; at < (page + 1) * perPage; at++) positions.add(at);
  }
  for (const position of positions) {
    const [from, to] = [position * blockSize, Math.min(count, (position + 1) * blockSize)];
    if (from >= to) continue;
    const blockItems = items.slice(from, to);
    const isLast = to === count;
    const previousBlock = isSame ? previous.blocks.get(position) : undefined;
    if (previousBlock?.isLast === isLast && isEqual(previousBlock.items, blockItems)) {
      blocks.set(position, previousBlock);
      continue;
    }
    const ratios = blockItems.map(ratioOf).filter((ratio) => ratio !== undefined);
    if (ratios.length < blockItems.length) continue;
    const rows = rowsOf(ratios, { width, wanted, gap, isLast });
    const last = rows.at(-1)!;
    blocks.set(position, {
      items: blockItems,
      isLast,
      ratios,
      rows,
      height: last.top + last.height + gap,
    });
  }
  return { width, targetHeight: wanted, gap, count, blocks };
}

const isEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/**
 * Returns rows that fill the width, with heights as close as possible to the target and similar
 * numbers of items. At the end of the list, the last row need not be filled.
 */
function rowsOf(
  ratios: readonly number[],
  {
    width,
    wanted: targetHeight,
    gap,
    isLast,
  }: { width: number; wanted: number; gap: number; isLast: boolean },
): Row[] {
  const sizes = ratios.map((ratio) => ratio * targetHeight + gap);
  const exactRowCount = sizes.reduce((all, one) => all + one, 0) / (width + gap);
  const rowCount = Math.max(1, Math.min(ratios.length, Math.round(exactRowCount)));
  /** The share of the width that each row takes, at the target height. */
  const rowShare = isLast ? 1 : exactRowCount / rowCount;
  const rows: Row[] = [];
  let [first, top, sum] = [0, 0, 0];
  const addRow = (next: number, limit: number): void => {
    const rowRatios = ratios.slice(first, next);
    const ratio = rowRatios.reduce((all, one) => all + one, 0);
    const height = Math.min((width - gap * (rowRatios.length - 1)) / ratio, limit);
    rows.push({ first, top, height });
    top += height + gap;
    first = next;
  };
  for (const [at, size] of sizes.entries()) {
    const fraction = size / (width + gap);
    const target = (rows.length + 1) * rowShare;
    const isOver = sum + fraction - target > target - sum;
    if (at > first && isOver && (isLast || rows.length < rowCount - 1)) {
      addRow(at, Number.POSITIVE_INFINITY);
    }
    sum += fraction;
  }
  addRow(ratios.length, isLast ? targetHeight * maxStretch : Number.POSITIVE_INFINITY);
  return rows;
}

/**
 * Lays out uncropped pictures in rows that fill the width. The sizes of unknown blocks are
 * estimated.
 */
export function justifiedLayout({
  width,
  targetHeight: wanted,
  gap,
  count,
  blocks,
}: JustifiedBlocks): GridLayout {
  const knownBlocks = [...blocks.values()];
  const ratioSum = knownBlocks.reduce(
    (all, { ratios }) => all + ratios.reduce((one, ratio) => one + ratio, 0),
    0,
  );
  const ratioCount = knownBlocks.reduce((all, { ratios }) => all + ratios.length, 0);
  const meanRatio = ratioCount === 0 ? defaultRatio : ratioSum / ratioCount;
  const columns = Math.max(1, Math.round((width + gap) / (wanted * meanRatio + gap)));
  const tileWidth = (width - gap * (columns - 1)) / columns;
  const step = wanted + gap;
  /** For each block, and for the end: its first row, and its top. */
  const [firstRows, tops] = [[0], [0]];
  const blockCount = Math.ceil(count / blockSize);
  for (let position = 0; position < blockCount; position++) {
    const block = blocks.get(position);
    const rows = block
      ? block.rows.length
      : Math.ceil(Math.min(blockSize, count - position * blockSize) / columns);
    firstRows.push(firstRows[position]! + rows);
    tops.push(tops[position]! + (block ? block.height : rows * step));
  }
  const rows = firstRows[blockCount]!;
  /** The block of a row, and the row within it. */
  const locateRow = (row: number): { position: number; block: Block | undefined; at: number } => {
    const place = Math.min(
      blockCount - 1,
      lastMatching(blockCount, (one) => firstRows[one]! <= row),
    );
    return { position: place, block: blocks.get(place), at: row - firstRows[place]! };
  };
  return {
    rows,
    height: tops[blockCount]!,
    gap,
    columns: null,
    firstTileOf: (row) => {
      if (row >= rows) return count;
      const { position: place, block, at } = locateRow(row);
      return place * blockSize + (block ? block.rows[at]!.first : at * columns);
    },
    rowOf: (index) => {
      const position = Math.floor(index / blockSize);
      const [block, at] = [blocks.get(position), index - position * blockSize];
      const row = block
        ? lastMatching(block.rows.length, (one) => block.rows[one]!.first <= at)
        : Math.floor(at / columns);
      return (firstRows[position] ?? rows) + row;
    },
    topOf: (row) => {
      if (row >= rows) return tops[blockCount]!;
      const { position: place, block, at } = locateRow(row);
      return tops[place]! + (block ? block.rows[at]!.top : at * step);
    },
    heightOf: (row) => {
      if (row >= rows) return wanted;
      const { block, at } = locateRow(row);
      return block ? block.rows[at]!.height : wanted;
    },
    rowAt: (y) => {
      if (blockCount === 0) return 0;
      const position = Math.min(
        blockCount - 1,
        lastMatching(blockCount, (one) => tops[one]! <= y),
      );
      const [block, offset] = [blocks.get(position), y - tops[position]!];
      const row = block
        ? lastMatching(block.rows.length, (one) => block.rows[one]!.top <= offset)
        : Math.max(0, Math.floor(offset / step));
      return clampRow(Math.min(firstRows[position]! + row, firstRows[position + 1]! - 1), rows);
    },
    positionOf: (index) => {
      const position = Math.floor(index / blockSize);
      const [block, at] = [blocks.get(position), index - position * blockSize];
      if (!block) return { left: (at % columns) * (tileWidth + gap), width: tileWidth };
      const { first, height } =
        block.rows[lastMatching(block.rows.length, (one) => block.rows[one]!.first <= at)]!;
      let left = 0;
      for (let sibling = first; sibling < at; sibling++)
        left += block.ratios[sibling]! * height + gap;
      return { left, width: block.ratios[at]! * height };
    },
  };
}

/**
 * Returns the last number below `count` that satisfies a condition, or 0. If a number satisfies the
 * condition, all smaller ones must as well.
 */
function lastMatching(count: number, condition: (at: number) => boolean): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (condition(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
