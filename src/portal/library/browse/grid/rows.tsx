import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useMeasure } from '../../../kit/use-measure.ts';
import { type GridLayout, rowsIn } from './grid-layout.ts';

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
  /** The number of tiles in the whole grid. */
  count: number;
  /** The number of rows above all of these. */
  heads: number;
  children: (index: number, column: number) => ComponentChildren;
}) {
  const { layout, row, count, heads, children } = props;
  const first = row * layout.columns;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the cells are focusable
    <div
      role="row"
      class="browse-row"
      aria-rowindex={row + heads + 1}
      style={{
        transform: `translateY(${row * layout.rowHeight}px)`,
        height: `${layout.rowHeight - layout.gap}px`,
        gap: `${layout.gap}px`,
      }}
    >
      {Array.from({ length: Math.min(layout.columns, count - first) }, (_, column) =>
        children(first + column, column),
      )}
    </div>
  );
}

/** What stays at the top of the window covers this much, in pixels. */
export const covered = 64;

/** The visible rows, and the first one that is not covered, updated as the page scrolls. */
export function useVisibleRows(
  grid: { current: HTMLDivElement | null },
  layout: GridLayout,
  count: number,
  ready: boolean,
): readonly [first: number, end: number, top: number] {
  const [rows, setRows] = useState<readonly [number, number, number]>([0, 0, 0]);
  useLayoutEffect(() => {
    if (!ready) return;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const top = -(grid.current?.getBoundingClientRect().top ?? 0);
      const [first, end] = rowsIn(layout, count, top, top + window.innerHeight);
      const uncovered = Math.max(0, Math.floor((top + covered + 1) / layout.rowHeight));
      const next = [first, end, uncovered] as const;
      setRows((now) => (next.every((row, at) => row === now[at]) ? now : next));
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [ready, count, layout.rowHeight, layout.columns]);
  return rows;
}
