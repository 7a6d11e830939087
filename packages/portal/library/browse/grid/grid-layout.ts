import type { View } from '../view.ts';

/** The positions of the tiles in the grid, in pixels. Rows of tiles, one below the other. */
export interface GridLayout {
  rows: number;
  /** The height of all rows. */
  height: number;
  /** The gap between tiles, in both directions. */
  gap: number;
  /** The number of tiles in each row; null if it differs. */
  columns: number | null;
  /** The index of the first tile of a row; the number of tiles for the row after the last. */
  firstOf: (row: number) => number;
  rowOf: (index: number) => number;
  topOf: (row: number) => number;
  heightOf: (row: number) => number;
  /** The row at this distance from the top, or the nearest one. */
  rowAt: (y: number) => number;
  placeOf: (index: number) => Place;
}

/** The place of a tile within its row. */
export interface Place {
  left: number;
  width: number;
}

export const scales: Record<View['density'], number> = { compact: 0.7, normal: 1, large: 1.6 };
const lineHeights: Record<View['density'], number> = { compact: 2.25, normal: 3, large: 4 };

/**
 * Lays out tiles of equal width: two or more columns, one on very narrow screens; or lines, one
 * below the other.
 */
export function layoutFor(
  width: number,
  rem: number,
  { as, density }: View,
  count: number,
): GridLayout {
  if (as === 'list') {
    return uniform({ count, columns: 1, width, height: lineHeights[density] * rem, gap: 0 });
  }
  const gap = 0.75 * rem;
  const scale = scales[density];
  const min = (width < 40 * rem ? 8 : 11) * rem * scale;
  const fewest = width < 17 * rem || (density === 'large' && width < 40 * rem) ? 1 : 2;
  const columns = Math.max(fewest, Math.floor((width + gap) / (min + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const picture = (width < 40 * rem ? 7 : 10) * rem * scale;
  return uniform({ count, columns, width: tileWidth, height: picture + 3.75 * rem, gap });
}

function uniform(tiles: {
  count: number;
  columns: number;
  /** Of a tile. */
  width: number;
  height: number;
  gap: number;
}): GridLayout {
  const { count, columns, width, height, gap } = tiles;
  const step = height + gap;
  const rows = Math.ceil(count / columns);
  return {
    rows,
    height: rows * step,
    gap,
    columns,
    firstOf: (row) => Math.min(count, row * columns),
    rowOf: (index) => Math.floor(index / columns),
    topOf: (row) => row * step,
    heightOf: () => height,
    rowAt: (y) => clamp(Math.floor(y / step), rows),
    placeOf: (index) => ({ left: (index % columns) * (width + gap), width }),
  };
}

/** Returns the nearest row that exists. */
export function clamp(row: number, rows: number): number {
  return Math.max(0, Math.min(rows - 1, row));
}

/** Returns the indexes of the tiles of a row. */
export function tilesOf(layout: GridLayout, row: number): number[] {
  const first = layout.firstOf(row);
  return Array.from({ length: layout.firstOf(row + 1) - first }, (_, at) => first + at);
}

/** Returns the rows that overlap a viewport, plus a margin. */
export function rowsIn(
  layout: GridLayout,
  top: number,
  bottom: number,
): readonly [first: number, end: number] {
  if (layout.rows === 0) return [0, 0];
  const around = 3;
  const first = Math.max(0, layout.rowAt(top) - around);
  return [first, Math.min(layout.rows, layout.rowAt(bottom) + 1 + around)];
}

/** Returns the index that a key moves to; undefined if the key does not move. */
export function moveBy(
  key: string,
  from: number,
  count: number,
  layout: GridLayout,
  rowsAPage: number,
): number | undefined {
  const within = (index: number): number => Math.max(0, Math.min(count - 1, index));
  const down = (rows: number): number => {
    const row = layout.rowOf(from);
    const to = clamp(row + rows, layout.rows);
    return to === row ? from : nearest(layout, to, middleOf(layout, from));
  };
  const moves: Record<string, () => number> = {
    ArrowLeft: () => within(from - 1),
    ArrowRight: () => within(from + 1),
    ArrowUp: () => down(-1),
    ArrowDown: () => down(1),
    PageUp: () => down(-rowsAPage),
    PageDown: () => down(rowsAPage),
    Home: () => 0,
    End: () => count - 1,
  };
  return moves[key]?.();
}

function middleOf(layout: GridLayout, index: number): number {
  const { left, width } = layout.placeOf(index);
  return left + width / 2;
}

/** Returns the tile of a row whose middle is nearest to a distance from the left. */
function nearest(layout: GridLayout, row: number, x: number): number {
  const distance = (index: number): number => Math.abs(middleOf(layout, index) - x);
  return tilesOf(layout, row).reduce((best, index) =>
    distance(index) < distance(best) ? index : best,
  );
}

/** A rectangle within the grid, in pixels. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the indexes of the tiles that a rectangle touches. */
export function within(layout: GridLayout, area: Rectangle): number[] {
  if (layout.rows === 0) return [];
  const [first, last] = [layout.rowAt(area.top), layout.rowAt(area.bottom)];
  const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return rows
    .filter((row) => {
      const top = layout.topOf(row);
      return area.top <= top + layout.heightOf(row) && area.bottom >= top;
    })
    .flatMap((row) => tilesOf(layout, row))
    .filter((index) => {
      const { left, width } = layout.placeOf(index);
      return area.left <= left + width && area.right >= left;
    });
}
