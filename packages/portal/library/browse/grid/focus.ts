import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { useRestoreFocus } from '../../../kit/roving.ts';

/** Returns a function that makes a cell active and moves the focus to it. */
export function useFocus(
  grid: { current: HTMLElement | null },
  activeIndex: number,
  setActiveIndex: (index: number) => void,
): (index: number) => void {
  const isFocusPending = useRef(false);
  const [, render] = useReducer((count: number) => count + 1, 0);
  // Runs before the next key press, which applies to the active tile.
  useLayoutEffect(() => {
    if (!isFocusPending.current) return;
    isFocusPending.current = false;
    const cell = cellOf(grid.current, activeIndex);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest' });
  });
  // A cell is replaced when its item is loaded or moves to another row.
  useRestoreFocus(grid, () => cellOf(grid.current, activeIndex));
  return (index) => {
    isFocusPending.current = true;
    setActiveIndex(index);
    // The cell may be the active one already.
    render(undefined);
  };
}

function cellOf(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}
