import { useCallback, useEffect, useState } from 'preact/hooks';
import { watchStored } from '../uploads/upload-events.ts';
import { type FileKind, isOfKind } from './filters/file-kinds.ts';
import type { Results } from './results.ts';

/** Uploads that finish in quick succession are shown together. */
const batchDelayMs = 1_000;

/** The number of uploads that the list does not show yet, and a function that shows them. */
export interface NewUploads {
  count: number;
  show: () => void;
  /** The number of uploads that this list never shows, because they are of another kind. */
  otherKindCount: number;
}

/**
 * Watches for new uploads. They appear automatically if that does not disturb anything: the page is
 * scrolled to the top, nothing is selected, and the grid does not have focus. Otherwise a button
 * offers to show them.
 */
export function useNewUploads(
  fileKind: FileKind,
  reload: Results['reload'],
  isList: boolean,
  isSelecting: boolean,
): NewUploads {
  const [count, setCount] = useState(0);
  const [elsewhere, setOtherKindCount] = useState(0);
  useEffect(() => {
    setCount(0);
    setOtherKindCount(0);
    return watchStored(({ mime, isNew }) => {
      if (!isNew) return;
      (isOfKind(fileKind, mime) ? setCount : setOtherKindCount)((now) => now + 1);
    });
  }, [fileKind]);
  const show = useCallback(() => {
    setCount(0);
    reload();
  }, [reload]);
  useEffect(() => {
    if (count === 0 || !isList || isSelecting) return;
    const timer = window.setTimeout(() => {
      const focusedGrid = document.activeElement?.closest('[role=grid]');
      if (window.scrollY < window.innerHeight / 2 && !focusedGrid) show();
    }, batchDelayMs);
    return () => window.clearTimeout(timer);
  }, [count === 0, isList, isSelecting, show]);
  return { count, show, otherKindCount: elsewhere };
}
