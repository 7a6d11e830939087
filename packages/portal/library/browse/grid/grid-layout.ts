import type { View } from '../view.ts';

/** The positions of the tiles in the grid, in pixels. The tiles form rows. */
export interface GridLayout {
  rows: number;
  /** The height of all rows. */
  height: number;
  /** The gap between tiles, in both directions. */
  gap: number;
  /** The number of tiles in each row; null if it differs. */
  columns: number | null;
  /** The index of the first tile of a row; the number of tiles for the row after the last. */
  firstTileOf: (row: number) => number;
  rowOf: (index: number) => number;
  topOf: (row: number) => number;
  heightOf: (row: number) => number;
  /** The row at this distance from the top, or the nearest one. */
  rowAt: (y: number) => number;
  positionOf: (index: number) => TilePosition;
}

/** The position of a tile within its row. */
export interface TilePosition {
  left: number;
  width: number;
}

export const scales: Record<View['density'], number> = { compact: 0.7, normal: 1, large: 1.6 };
const lineHeights: Record<View['density'], number> = { compact: 2.25, normal: 3, large: 4 };

/**
 * Lays out tiles of equal width in two or more columns (in one on very narrow screens), or as the
 * lines of a list.
 */
export function layoutFor(
  width: number,
  rem: number,
  { layout, density }: View,
  count: number,
): GridLayout {
  if (layout === 'list') {
    return uniformLayout({ count, columns: 1, width, height: lineHeights[density] * rem, gap: 0 });
  }
  const gap = 0.75 * rem;
  const scale = scales[density];
  const minTileWidth = (width < 40 * rem ? 8 : 11) * rem * scale;
  const minColumns = width < 17 * rem || (density === 'large' && width < 40 * rem) ? 1 : 2;
  const columns = Math.max(minColumns, Math.floor((width + gap) / (minTileWidth + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const pictureHeight = (width < 40 * rem ? 7 : 10) * rem * scale;
  return uniformLayout({
    count,
    columns,
    width: tileWidth,
    height: pictureHeight + 3.75 * rem,
    gap,
  });
}

function uniformLayout(tiles: {
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
    firstTileOf: (row) => Math.min(count, row * columns),
    rowOf: (index) => Math.floor(index / columns),
    topOf: (row) => row * step,
    heightOf: () => height,
    rowAt: (y) => clampRow(Math.floor(y / step), rows),
    positionOf: (index) => ({ left: (index % columns) * (width + gap), width }),
  };
}

/** Returns the nearest row that exists. */
export function clampRow(row: number, rows: number): number {
  return Math.max(0, Math.min(rows - 1, row));
}

/** Returns the indexes of the tiles of a row. */
export function tilesOf(layout: GridLayout, row: number): number[] {
  const first = layout.firstTileOf(row);
  return Array.from({ length: layout.firstTileOf(row + 1) - first }, (_, at) => first + at);
}

/** Returns the rows that overlap a viewport, plus a margin. */
export function rowsIn(
  layout: GridLayout,
  top: number,
  bottom: number,
): readonly [first: number, end: number] {
  if (layout.rows === 0) return [0, 0];
  const margin = 3;
  const first = Math.max(0, layout.rowAt(top) - margin);
  return [first, Math.min(layout.rows, layout.rowAt(bottom) + 1 + margin)];
}

/** Returns the index that a key moves to; undefined if the key does not move. */
export function indexAfterKey(
  key: string,
  from: number,
  count: number,
  layout: GridLayout,
  rowsPerPage: number,
): number | undefined {
  const clampIndex = (index: number): number => Math.max(0, Math.min(count - 1, index));
  const moveDown = (rows: number): number => {
    const row = layout.rowOf(from);
    const to = clampRow(row + rows, layout.rows);
    return to === row ? from : nearestTile(layout, to, middleOf(layout, from));
  };
  const moves: Record<string, () => number> = {
    ArrowLeft: () => clampIndex(from - 1),
    ArrowRight: () => clampIndex(from + 1),
    ArrowUp: () => moveDown(-1),
    ArrowDown: () => moveDown(1),
    PageUp: () => moveDown(-rowsPerPage),
    PageDown: () => moveDown(rowsPerPage),
    Home: () => 0,
    End: () => count - 1,
  };
  return moves[key]?.();
}

function middleOf(layout: GridLayout, index: number): number {
  const { left, width } = layout.positionOf(index);
  return left + width / 2;
}

/** Returns the tile of a row whose middle is nearest to `x`. */
function nearestTile(layout: GridLayout, row: number, x: number): number {
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
export function tilesIn(layout: GridLayout, area: Rectangle): number[] {
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
      const { left, width } = layout.positionOf(index);
      return area.left <= left + width && area.right >= left;
    });
}
