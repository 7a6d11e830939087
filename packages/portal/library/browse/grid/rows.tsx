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
  selected: boolean;
  children: (index: number, column: number, place: Place) => ComponentChildren;
}) {
  const { layout, row, heads, selected, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the cells are focusable
    <div
      role="row"
      class={`browse-row${selected ? ' selected' : ''}`}
      aria-rowindex={row + heads + 1}
      // Uses transforms, which cause no layout shifts.
      style={{
        transform: `translateY(${layout.topOf(row)}px)`,
        height: `${layout.heightOf(row)}px`,
      }}
    >
      {tilesOf(layout, row).map((index, column) => children(index, column, layout.placeOf(index)))}
    </div>
  );
}

/** Height of the sticky header at the top of the window, in pixels. */
export const covered = 64;

/** Time after the last fast frame during which scrolling counts as fast, in milliseconds. */
const settleMs = 100;

/** The visible range. */
interface Sight {
  /** The visible rows, and the first one that is not covered. */
  first: number;
  end: number;
  top: number;
  /** Whether scrolling is too fast to see more of a tile than its place. */
  isFast: boolean;
}

/**
 * Returns the visible range, updated as the page scrolls. When the layout of the same `list`
 * changes, the item at the top of the window stays there.
 */
export function useVisibleRows(
  grid: { current: HTMLDivElement | null },
  layout: GridLayout,
  list: string,
  ready: boolean,
): Sight {
  const [sight, setSight] = useState<Sight>({ first: 0, end: 0, top: 0, isFast: false });
  const anchor = useRef({ list, index: 0, top: 0 });
  useLayoutEffect(() => {
    if (!ready) return;
    let frame = 0;
    let settled = 0;
    let before = window.scrollY;
    const look = (): void => {
      frame = 0;
      const isFast = Math.abs(window.scrollY - before) > window.innerHeight / 2;
      before = window.scrollY;
      window.clearTimeout(settled);
      if (isFast) settled = window.setTimeout(look, settleMs);
      const top = -(grid.current?.getBoundingClientRect().top ?? 0);
      const [first, end] = rowsIn(layout, top, top + window.innerHeight);
      const uncovered = Math.max(0, layout.rowAt(top + covered + 1));
      anchor.current = { list, index: layout.firstOf(uncovered), top: layout.topOf(uncovered) };
      setSight((now) => {
        const isSame = first === now.first && end === now.end && uncovered === now.top;
        return isSame && isFast === now.isFast ? now : { first, end, top: uncovered, isFast };
      });
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    const kept = anchor.current;
    if (kept.list === list && kept.index > 0) {
      const moved = layout.topOf(layout.rowOf(kept.index)) - kept.top;
      if (moved !== 0) window.scrollBy(0, moved);
    }
    before = window.scrollY;
    look();
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(settled);
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [ready, layout, list]);
  return sight;
}
