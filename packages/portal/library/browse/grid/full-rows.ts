import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Items } from '../list/items.ts';
import type { GridLayout } from './grid-layout.ts';

/** Maximum number of tiles that are rendered in full within one frame, rounded to rows. */
const maxTilesPerFrame = 8;

/**
 * Returns a test of whether a row is rendered in full. While scrolling is too fast to
 * see the content of tiles, no rows are added; afterwards, each frame adds a few, starting in the
 * middle. Frames stay short, however many rows become visible at once.
 */
export function useFullRows(
  rows: readonly number[],
  {
    items,
    listKey,
    layout,
    isFast,
  }: { items: Items; listKey: string; layout: GridLayout; isFast: boolean },
): (row: number) => boolean {
  const previous = useRef({ list: listKey, rows: new Set<number>() });
  const [, render] = useReducer((count: number) => count + 1, 0);
  const previousRows =
    previous.current.list === listKey ? previous.current.rows : new Set<number>();
  const fullRows = new Set<number>();
  const middle = rows[Math.floor(rows.length / 2)] ?? 0;
  let [tilesLeft, isWaiting] = [isFast ? 0 : maxTilesPerFrame, false];
  for (const row of rows.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const first = layout.firstTileOf(row);
    if (previousRows.has(row)) fullRows.add(row);
    else if (tilesLeft > 0 && items.at(first)) {
      fullRows.add(row);
      tilesLeft -= layout.firstTileOf(row + 1) - first;
    } else if (tilesLeft <= 0) isWaiting = true;
  }
  previous.current = { list: listKey, rows: fullRows };
  useEffect(() => {
    if (!isWaiting || isFast) return;
    const frame = requestAnimationFrame(() => render(undefined));
    return () => cancelAnimationFrame(frame);
  });
  return (row) => fullRows.has(row);
}
