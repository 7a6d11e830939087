import { useLayoutEffect } from 'preact/hooks';

/**
 * Has a class on the root element while `is` holds, for the styles of what is elsewhere. A selector with
 * `:has()` on an element around a long list has all of it styled again for each row that comes or goes.
 */
export function useRootClass(name: string, is = true): void {
  useLayoutEffect(() => {
    if (!is) return;
    const { classList } = document.documentElement;
    classList.add(name);
    return () => classList.remove(name);
  }, [name, is]);
}
