import { useLayoutEffect } from 'preact/hooks';

/**
 * Sets a class on the root element while `isActive`, for the styles of elements elsewhere. With a
 * `:has()` selector on an element around a long list, the browser would recalculate the styles of
 * the whole list whenever a row is added or removed.
 */
export function useRootClass(name: string, isActive = true): void {
  useLayoutEffect(() => {
    if (!isActive) return;
    const { classList } = document.documentElement;
    classList.add(name);
    return () => classList.remove(name);
  }, [name, isActive]);
}
