import { useEffect, useRef } from 'preact/hooks';

/** Passes keys to a tool while it is active, unless somebody types. `onKey` tells if it used the key. */
export function useToolKeys(
  isActive: boolean,
  onKey: (key: string, isShifted: boolean) => boolean,
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    if (!isActive) return;
    const listen = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // Enter and arrows on controls are theirs.
      const controls = 'input, select, textarea, button, a, dialog, [role="listbox"]';
      if (target instanceof HTMLElement && target.closest(controls)) return;
      if (latest.current(key, event.shiftKey)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isActive]);
}
