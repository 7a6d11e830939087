import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMeasure } from '../../../kit/use-measure.ts';
import { type GridLayout, type Place, rowsIn, tilesOf } from './grid-layout.ts';

/** The width of the grid and the root font size, in pixels. */
export const useBox = (grid: { current: HTMLDivElement | null }): { width: number; rem: number } =>
  useMeasure(grid, { width: 0, rem: 16 }, ({ clientWidth }) => ({
    width: clientWidth,
    rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  }));

/** A row, positioned absolutely; `children` renders each of its tiles. */
export function Row(props: {
  layout: GridLayout;
  row: number;
  /** The number of rows above all of these. */
  heads: number;
  children: (index: number, column: number, place: Place) => ComponentChildren;
}) {
  const { layout, row, heads, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the cells are focusable
    <div
      role="row"
      class="browse-row"
      aria-rowindex={row + heads + 1}
      style={{
        transform: `translateY(${layout.topOf(row)}px)`,
        height: `${layout.heightOf(row)}px`,
      }}
    >
      {tilesOf(layout, row).map((index, column) => children(index, column, layout.placeOf(index)))}
    </div>
  );
}

/** What stays at the top of the window covers this much, in pixels. */
export const covered = 64;

/**
 * The visible rows, and the first one that is not covered, updated as the page scrolls. When the same
 * `list` is laid out in another way, what is at the top of the window stays there.
 */
export function useVisibleRows(
  grid: { current: HTMLDivElement | null },
  layout: GridLayout,
  list: string,
  ready: boolean,
): readonly [first: number, end: number, top: number] {
  const [rows, setRows] = useState<readonly [number, number, number]>([0, 0, 0]);
  const anchor = useRef({ list, index: 0, top: 0 });
  useLayoutEffect(() => {
    if (!ready) return;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const top = -(grid.current?.getBoundingClientRect().top ?? 0);
      const [first, end] = rowsIn(layout, top, top + window.innerHeight);
      const uncovered = Math.max(0, layout.rowAt(top + covered + 1));
      anchor.current = { list, index: layout.firstOf(uncovered), top: layout.topOf(uncovered) };
      const next = [first, end, uncovered] as const;
      setRows((now) => (next.every((row, at) => row === now[at]) ? now : next));
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    const before = anchor.current;
    if (before.list === list && before.index > 0) {
      const moved = layout.topOf(layout.rowOf(before.index)) - before.top;
      if (moved !== 0) window.scrollBy(0, moved);
    }
    look();
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [ready, layout, list]);
  return rows;
}
