import { entityNames } from '@scriptorium/contracts/documents/entities';
import type { NewFinding } from '@scriptorium/contracts/wire/reviews';
import { useEffect, useRef } from 'preact/hooks';
import { entityTitle } from '../../../kit/entity-titles.ts';

/** The types that a person can assign, as options of a field. */
export const typeOptions: readonly (readonly [NewFinding['type'], string])[] = [
  ...entityNames.map((name) => [name, entityTitle(name)] as const),
  ['CUSTOM_OTHER', entityTitle('CUSTOM_OTHER')],
];

/** Returns the assignable type with this name. */
export function typeNamed(name: string): NewFinding['type'] {
  return typeOptions.find(([one]) => one === name)?.[0] ?? 'CUSTOM_OTHER';
}

/** Elements that use arrow keys or Enter themselves while they have the focus. */
const steered = 'input, select, textarea, dialog, [role="listbox"], .bench-strip';
const pressed = `${steered}, button, a`;

/**
 * Passes keys to a tool while it is active, unless a control has the focus. `onKey` returns whether
 * it used the key.
 */
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
