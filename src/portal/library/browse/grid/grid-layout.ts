import type { View } from '../view.ts';

/** The layout of the grid, in pixels. */
export interface GridLayout {
  columns: number;
  tileWidth: number;
  rowHeight: number;
  gap: number;
}

const scales: Record<View['density'], number> = { compact: 0.7, normal: 1, large: 1.6 };
const lineHeights: Record<View['density'], number> = { compact: 2.25, normal: 3, large: 4 };

/**
 * Lays out tiles of equal width: two or more columns, one on very narrow screens; or lines, one below
 * the other.
 */
export function layoutFor(width: number, rem: number, { as, density }: View): GridLayout {
  if (as === 'list') {
    return { columns: 1, tileWidth: width, rowHeight: lineHeights[density] * rem, gap: 0 };
  }
  const gap = 0.75 * rem;
  const scale = scales[density];
  const least = (width < 40 * rem ? 8 : 11) * rem * scale;
  const fewest = width < 17 * rem || (density === 'large' && width < 40 * rem) ? 1 : 2;
  const columns = Math.max(fewest, Math.floor((width + gap) / (least + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const picture = (width < 40 * rem ? 7 : 10) * rem * scale;
  return { columns, tileWidth, rowHeight: picture + 3.75 * rem + gap, gap };
}

/** The rows that overlap a viewport, plus a margin. */
export function rowsIn(
  layout: GridLayout,
  count: number,
  top: number,
  bottom: number,
): readonly [first: number, end: number] {
  const rows = Math.ceil(count / layout.columns);
  const around = 3;
  const first = Math.max(0, Math.floor(top / layout.rowHeight) - around);
  const end = Math.min(rows, Math.ceil(bottom / layout.rowHeight) + around);
  return [Math.min(first, rows), Math.max(end, 0)];
}

/** The index that a key moves to; undefined if the key does not move. */
export function moveBy(
  key: string,
  from: number,
  count: number,
  columns: number,
  rowsAPage: number,
): number | undefined {
  const within = (index: number): number => Math.max(0, Math.min(count - 1, index));
  const down = (rows: number): number => {
    const to = from + rows * columns;
    // The last row may be shorter; the first has no row above.
    if (to >= count)
      return Math.floor(from / columns) < Math.floor((count - 1) / columns) ? count - 1 : from;
    return to < 0 ? (rows === -1 ? from : from % columns) : to;
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

/** A rectangle within the grid, in pixels. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The indexes of the tiles that a rectangle touches, of the first `count`. */
export function within(layout: GridLayout, area: Rectangle, count: number): number[] {
  const { columns, tileWidth, rowHeight, gap } = layout;
  const touched = (from: number, to: number, size: number, step: number): number[] => {
    const first = Math.floor(from / step) + (from % step > size ? 1 : 0);
    const last = Math.floor(to / step);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  };
  const inRow = touched(area.left, area.right, tileWidth, tileWidth + gap);
  return touched(area.top, area.bottom, rowHeight - gap, rowHeight).flatMap((row) =>
    inRow
      .filter((column) => column < columns)
      .map((column) => row * columns + column)
      .filter((index) => index < count),
  );
}
