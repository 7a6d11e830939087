import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Items } from '../list/items.ts';
import type { GridLayout } from './grid-layout.ts';

/** Maximum number of tiles that are rendered in full within one frame, rounded to rows. */
const atOnce = 8;

/**
 * Returns which rows are rendered in full. While the page is scrolled too fast to see more than
 * places, no more rows are added; afterwards a few more in each frame, starting in the middle. No
 * frame takes long, however many rows become visible at once.
 */
export function useUnpacked(
  rows: readonly number[],
  {
    items,
    list,
    layout,
    isFast,
  }: { items: Items; list: string; layout: GridLayout; isFast: boolean },
): (row: number) => boolean {
  const before = useRef({ list, rows: new Set<number>() });
  const [, render] = useReducer((count: number) => count + 1, 0);
  const done = before.current.list === list ? before.current.rows : new Set<number>();
  const full = new Set<number>();
  const middle = rows[Math.floor(rows.length / 2)] ?? 0;
  let [left, isWaiting] = [isFast ? 0 : atOnce, false];
  for (const row of rows.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const first = layout.firstOf(row);
    if (done.has(row)) full.add(row);
    else if (left > 0 && items.at(first)) {
      full.add(row);
      left -= layout.firstOf(row + 1) - first;
    } else if (left <= 0) isWaiting = true;
  }
  before.current = { list, rows: full };
  useEffect(() => {
    if (!isWaiting || isFast) return;
    const frame = requestAnimationFrame(() => render(undefined));
    return () => cancelAnimationFrame(frame);
  });
  return (row) => full.has(row);
}
