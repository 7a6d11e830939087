import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMeasure } from '../../../kit/use-measure.ts';
import { type GridLayout, rowsIn, type TilePosition, tilesOf } from './grid-layout.ts';

/** The width of the grid and the root font size, in pixels. */
export const useGridSize = (grid: {
  current: HTMLDivElement | null;
}): { width: number; rem: number } =>
  useMeasure(grid, { width: 0, rem: 16 }, ({ clientWidth }) => ({
    width: clientWidth,
    rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  }));

/** A row, positioned absolutely; `children` renders each of its tiles. */
export function Row(props: {
  layout: GridLayout;
  row: number;
  /** The number of header rows above the first row. */
  headerRows: number;
  selected: boolean;
  children: (index: number, column: number, position: TilePosition) => ComponentChildren;
}) {
  const { layout, row, headerRows, selected, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the cells are focusable
    <div
      role="row"
      class={`browse-row${selected ? ' selected' : ''}`}
      aria-rowindex={row + headerRows + 1}
      // Uses transforms, which cause no layout shifts.
      style={{
        transform: `translateY(${layout.topOf(row)}px)`,
        height: `${layout.heightOf(row)}px`,
      }}
    >
      {tilesOf(layout, row).map((index, column) =>
        children(index, column, layout.positionOf(index)),
      )}
    </div>
  );
}

/** Height of the sticky header at the top of the window, in pixels. */
export const headerHeight = 64;

/** Time after the last fast frame during which scrolling counts as fast, in milliseconds. */
const settleMs = 100;

/** The visible range. */
interface VisibleRows {
  /** The visible rows, and the first one that the header does not cover. */
  first: number;
  end: number;
  top: number;
  /** Whether scrolling is too fast to see the content of tiles. */
  isFast: boolean;
}

/**
 * Returns the visible range, updated as the page scrolls. When the layout changes but `listKey` does
 * not, the item at the top of the window stays there.
 */
export function useVisibleRows(
  grid: { current: HTMLDivElement | null },
  layout: GridLayout,
  listKey: string,
  ready: boolean,
): VisibleRows {
  const [visible, setVisible] = useState<VisibleRows>({ first: 0, end: 0, top: 0, isFast: false });
  const anchor = useRef({ list: listKey, index: 0, top: 0 });
  useLayoutEffect(() => {
    if (!ready) return;
    let frame = 0;
    let settleTimer = 0;
    let previousY = window.scrollY;
    const update = (): void => {
      frame = 0;
      const isFast = Math.abs(window.scrollY - previousY) > window.innerHeight / 2;
      previousY = window.scrollY;
      window.clearTimeout(settleTimer);
      if (isFast) settleTimer = window.setTimeout(update, settleMs);
      const top = -(grid.current?.getBoundingClientRect().top ?? 0);
      const [first, end] = rowsIn(layout, top, top + window.innerHeight);
      const topRow = Math.max(0, layout.rowAt(top + headerHeight + 1));
      anchor.current = {
        list: listKey,
        index: layout.firstTileOf(topRow),
        top: layout.topOf(topRow),
      };
      setVisible((now) => {
        const isSame = first === now.first && end === now.end && topRow === now.top;
        return isSame && isFast === now.isFast ? now : { first, end, top: topRow, isFast };
      });
    };
    const scheduleUpdate = (): void => {
      frame ||= requestAnimationFrame(update);
    };
    const previous = anchor.current;
    if (previous.list === listKey && previous.index > 0) {
      const shift = layout.topOf(layout.rowOf(previous.index)) - previous.top;
      if (shift !== 0) window.scrollBy(0, shift);
    }
    previousY = window.scrollY;
    update();
    window.addEventListener('scroll', scheduleUpdate, { passive: true });
    window.addEventListener('resize', scheduleUpdate);
    return () => {
      cancelAnimationFrame(frame);
      window.clearTimeout(settleTimer);
      window.removeEventListener('scroll', scheduleUpdate);
      window.removeEventListener('resize', scheduleUpdate);
    };
  }, [ready, layout, listKey]);
  return visible;
}
