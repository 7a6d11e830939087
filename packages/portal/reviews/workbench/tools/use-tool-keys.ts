import { entityNames } from '@scriptorium/contracts/documents/entities';
import type { NewFinding } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';
import { entityTitle } from '../../../kit/entity-titles.ts';

/** The types that a person can assign, as options of a field. */
export const typeOptions: readonly (readonly [NewFinding['type'], string])[] = [
  ...entityNames.map((name) => [name, entityTitle(name)] as const),
  ['CUSTOM_OTHER', entityTitle('CUSTOM_OTHER')],
];

/** Returns the assignable type with a name; otherwise `CUSTOM_OTHER`. */
export function assignableType(name: string): NewFinding['type'] {
  return typeOptions.find(([one]) => one === name)?.[0] ?? 'CUSTOM_OTHER';
}

/** Controls that handle arrow keys or Enter while they have the focus. */
const arrowKeyControls = 'input, select, textarea, dialog, [role="listbox"], .bench-strip';
const enterKeyControls = `${arrowKeyControls}, button, a`;

/**
 * Passes keys to a tool while it is active, unless the focused control handles them. `onKey` returns
 * whether it handled the key.
 */
export function useToolKeys(
  isActive: boolean,
  onKey: (key: string, isShifted: boolean) => boolean,
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    if (!isActive) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const controls = key === 'Enter' ? enterKeyControls : arrowKeyControls;
      if (target instanceof HTMLElement && target.closest(controls)) return;
      if (latest.current(key, event.shiftKey)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isActive]);
}
