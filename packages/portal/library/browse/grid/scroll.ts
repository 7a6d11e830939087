import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';

const settledMs = 150;

/**
 * Stores the scroll position in the history entry and restores it once the list has loaded; the
 * browser would restore it before there is anything to scroll. A different list starts at the top.
 * Returns a function that stores the position immediately.
 */
export function useKeptScroll(list: string, ready: boolean, count: number): () => void {
  const wanted = useRef<number | null>(scrollOf(window.history.state));
  const keep = useCallback(() => {
    window.history.replaceState({ ...asRecord(window.history.state), scroll: window.scrollY }, '');
  }, []);
  useLayoutEffect(() => {
    const mode = window.history.scrollRestoration;
    window.history.scrollRestoration = 'manual';
    const back = (event: PopStateEvent): void => {
      wanted.current = scrollOf(event.state) ?? 0;
    };
    window.addEventListener('popstate', back);
    return () => {
      window.removeEventListener('popstate', back);
      window.history.scrollRestoration = mode;
    };
  }, []);
  useLayoutEffect(() => {
    if (!ready || wanted.current === null || count === 0) return;
    window.scrollTo(0, wanted.current);
    // Until the count is known, the page may be too short to scroll there.
    if (Math.abs(window.scrollY - wanted.current) < 2) wanted.current = null;
  }, [ready, count]);
  const shown = useRef(list);
  useLayoutEffect(() => {
    if (!ready || shown.current === list) return;
    shown.current = list;
    if (wanted.current === null) window.scrollTo(0, 0);
  }, [list, ready]);
  useEffect(() => {
    let timer = 0;
    const later = (): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(keep, settledMs);
    };
    const byHand = (): void => {
      wanted.current = null;
    };
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('wheel', byHand, { passive: true });
    window.addEventListener('keydown', byHand);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('scroll', later);
      window.removeEventListener('wheel', byHand);
      window.removeEventListener('keydown', byHand);
    };
  }, []);
  return keep;
}

function scrollOf(state: unknown): number | null {
  const { scroll } = asRecord(state);
  return typeof scroll === 'number' ? scroll : null;
}

function asRecord(state: unknown): Record<string, unknown> {
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
