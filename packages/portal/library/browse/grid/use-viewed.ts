import { useEffect, useRef } from 'preact/hooks';
import { useLocationProperty } from 'wouter-preact/use-browser-location';

/** The item that the lightbox shows, as an index of the list, and functions that change it. */
export interface Viewed {
  index: number | null;
  open: (index: number) => void;
  /** Shows another item in the same lightbox. */
  move: (index: number) => void;
  close: () => void;
}

/**
 * Keeps the item in the lightbox in the history, so that Back closes the lightbox, and leads back
 * to it from the page of an item. `onClosed` is called with the last item that was shown.
 */
export function useViewed(onClosed: (index: number) => void): Viewed {
  const index = useLocationProperty(viewedIndex);
  const lastIndex = useRef(index);
  useEffect(() => {
    if (index === null && lastIndex.current !== null) onClosed(lastIndex.current);
    lastIndex.current = index;
  }, [index]);
  const stateOf = (viewed: number): unknown => ({ ...window.history.state, viewed });
  return {
    index,
    open: (viewed) => window.history.pushState(stateOf(viewed), ''),
    move: (viewed) => window.history.replaceState(stateOf(viewed), ''),
    close: () => window.history.back(),
  };
}

function viewedIndex(): number | null {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('viewed' in state)) return null;
  return typeof state.viewed === 'number' ? state.viewed : null;
}
