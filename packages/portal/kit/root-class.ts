import { useLayoutEffect } from 'preact/hooks';

/**
 * Sets a class on the root element while `is` is true, for styles of elements elsewhere. A `:has()`
 * selector on an element around a long list would restyle all of it whenever a row is added or
 * removed.
 */
export function useRootClass(name: string, is = true): void {
  useLayoutEffect(() => {
    if (!is) return;
    const { classList } = document.documentElement;
    classList.add(name);
    return () => classList.remove(name);
  }, [name, is]);
}
