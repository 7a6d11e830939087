import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Focuses an element of a container again if the one that had the focus was replaced or moved. */
export function useKeptFocus(
  container: { current: HTMLElement | null },
  find: () => HTMLElement | null | undefined,
): void {
  const isWithin = useRef(false);
  useEffect(() => {
    const moved = ({ target }: FocusEvent): void => {
      isWithin.current = target instanceof Node && container.current?.contains(target) === true;
    };
    const left = (): void => {
      isWithin.current = false;
    };
    document.addEventListener('focusin', moved);
    document.addEventListener('pointerdown', left);
    return () => {
      document.removeEventListener('focusin', moved);
      document.removeEventListener('pointerdown', left);
    };
  }, []);
  useLayoutEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    find()?.focus({ preventScroll: true });
  });
}
