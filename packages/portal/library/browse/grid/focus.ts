import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeptFocus } from '../../../kit/roving.ts';

/** Returns a function that makes a cell active and moves the focus to it. */
export function useFocus(
  grid: { current: HTMLElement | null },
  active: number,
  setActive: (index: number) => void,
): (index: number) => void {
  const isWanted = useRef(false);
  // Done before the next key press, which applies to the tile that is active now.
  useLayoutEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    const cell = cellOf(grid.current, active);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest' });
  });
  // A cell is replaced by its item once that is loaded, or has moved to another row.
  useKeptFocus(grid, () => cellOf(grid.current, active));
  return (index) => {
    isWanted.current = true;
    setActive(index);
  };
}

function cellOf(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}
