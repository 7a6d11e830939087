import { useCallback, useEffect, useState } from 'preact/hooks';
import { watchStored } from '../uploads/inbox.ts';
import { isShown } from './filters/kinds.ts';
import type { Results } from './results.ts';

/** Uploads that finish in quick succession are shown together. */
const togetherMs = 1_000;

/** The number of uploads that the list does not show yet, and a function that shows them. */
export interface NewUploads {
  count: number;
  show: () => void;
  /** The number of uploads that this list never shows, because they are of another kind. */
  elsewhere: number;
}

/**
 * Watches for new uploads. They appear automatically if that does not disturb anything: the page is
 * scrolled to the top, nothing is selected, and the grid does not have focus. Otherwise a button
 * offers to show them.
 */
export function useNewUploads(
  { show: shown, reload }: Results,
  isList: boolean,
  isSelecting: boolean,
): NewUploads {
  const [count, setCount] = useState(0);
  const [elsewhere, setElsewhere] = useState(0);
  useEffect(() => {
    setCount(0);
    setElsewhere(0);
    return watchStored(({ mime, isNew }) => {
      if (!isNew) return;
      (isShown(shown, mime) ? setCount : setElsewhere)((now) => now + 1);
    });
  }, [shown]);
  const show = useCallback(() => {
    setCount(0);
    reload();
  }, [reload]);
  useEffect(() => {
    if (count === 0 || !isList || isSelecting) return;
    const timer = window.setTimeout(() => {
      const isInGrid = document.activeElement?.closest('[role=grid]');
      if (window.scrollY < window.innerHeight / 2 && !isInGrid) show();
    }, togetherMs);
    return () => window.clearTimeout(timer);
  }, [count === 0, isList, isSelecting, show]);
  return { count, show, elsewhere };
}
