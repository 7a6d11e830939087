import { useEffect, useRef } from 'preact/hooks';

/** What uses arrow keys, and what uses Enter, while it has the focus. */
const steered = 'input, select, textarea, dialog, [role="listbox"], .bench-strip';
const pressed = `${steered}, button, a`;

/** Passes keys to a tool while it is active, unless a control has the focus. `onKey` tells if it used the key. */
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
      const theirs = key === 'Enter' ? pressed : steered;
      if (target instanceof HTMLElement && target.closest(theirs)) return;
      if (latest.current(key, event.shiftKey)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [isActive]);
}
