import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const settleMs = 150;

/**
 * Stores the scroll position in the history entry and restores it once the list has loaded; the
 * browser would restore it before there is anything to scroll. A different list starts at the top.
 * Returns a function that stores the position immediately.
 */
export function useScrollRestoration(listKey: string, ready: boolean, count: number): () => void {
  const targetY = useRef<number | null>(scrollOf(window.history.state));
  const storePosition = useCallback(() => {
    window.history.replaceState({ ...asRecord(window.history.state), scroll: window.scrollY }, '');
  }, []);
  useLayoutEffect(() => {
    const mode = window.history.scrollRestoration;
    window.history.scrollRestoration = 'manual';
    const onPopState = (event: PopStateEvent): void => {
      targetY.current = scrollOf(event.state) ?? 0;
    };
    window.addEventListener('popstate', onPopState);
    return () => {
      window.removeEventListener('popstate', onPopState);
      window.history.scrollRestoration = mode;
    };
  }, []);
  useLayoutEffect(() => {
    if (!ready || targetY.current === null || count === 0) return;
    window.scrollTo(0, targetY.current);
    // Until the count is known, the page may be too short to scroll there.
    if (Math.abs(window.scrollY - targetY.current) < 2) targetY.current = null;
  }, [ready, count]);
  const shownList = useRef(listKey);
  useLayoutEffect(() => {
    if (!ready || shownList.current === listKey) return;
    shownList.current = listKey;
    if (targetY.current === null) window.scrollTo(0, 0);
  }, [listKey, ready]);
  useEffect(() => {
    let timer = 0;
    const scheduleStore = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(storePosition, settleMs);
    };
    const cancelRestore = (): void => {
      targetY.current = null;
    };
    window.addEventListener('scroll', scheduleStore, { passive: true });
    window.addEventListener('wheel', cancelRestore, { passive: true });
    window.addEventListener('keydown', cancelRestore);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('scroll', scheduleStore);
      window.removeEventListener('wheel', cancelRestore);
      window.removeEventListener('keydown', cancelRestore);
    };
  }, []);
  return storePosition;
}

function scrollOf(state: unknown): number | null {
  const { scroll } = asRecord(state);
  return typeof scroll === 'number' ? scroll : null;
}

function asRecord(state: unknown): Record<string, unknown> {
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
