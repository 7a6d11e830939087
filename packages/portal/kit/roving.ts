import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Restores the focus within a container if the focused element was replaced or moved. */
export function useRestoreFocus(
  container: { current: HTMLElement | null },
  find: () => HTMLElement | null | undefined,
): void {
  const isWithin = useRef(false);
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      isWithin.current = target instanceof Node && container.current?.contains(target) === true;
    };
    const onPointerDown = (): void => {
      isWithin.current = false;
    };
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, []);
  useLayoutEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    find()?.focus({ preventScroll: true });
  });
}

/** The attributes of a control in a group. */
export interface RovingProps {
  'data-rover': string;
  tabIndex: number;
}

/**
 * Makes a group of controls a single Tab stop, as in the ARIA Authoring Practices: Tab enters and
 * leaves the group; arrow keys, Home and End move within it. `lines` are the keys of the controls,
 * line by line.
 */
export function useRoving<E extends HTMLElement>(lines: readonly (readonly string[])[]) {
  const element = useRef<E>(null);
  const [lastKey, setLastKey] = useState<string | null>(null);
  const allKeys = lines.flat();
  const current = lastKey !== null && allKeys.includes(lastKey) ? lastKey : allKeys[0];
  const find = (key: string | undefined): HTMLElement | undefined => {
    const controls = element.current?.querySelectorAll<HTMLElement>('[data-rover]') ?? [];
    return [...controls].find(({ dataset }) => dataset.rover === key);
  };
  // Selecting an item may reorder the group.
  useRestoreFocus(element, () => find(current));
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = keyOfControl(event.target);
    if (key === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = nextKey(lines, key, event.key);
    if (target === undefined) return;
    event.preventDefault();
    find(target)?.focus();
  };
  return {
    group: {
      ref: element,
      onKeyDown,
      onFocusIn: (event: FocusEvent): void => setLastKey(keyOfControl(event.target) ?? null),
    },
    rover: (key: string): RovingProps => ({
      'data-rover': key,
      tabIndex: key === current ? 0 : -1,
    }),
  };
}

function keyOfControl(target: EventTarget | null): string | undefined {
  const control = target instanceof HTMLElement && target.closest<HTMLElement>('[data-rover]');
  return control ? control.dataset.rover : undefined;
}

function nextKey(lines: readonly (readonly string[])[], key: string, pressedKey: string) {
  const at = lines.findIndex((line) => line.includes(key));
  const line = lines[at];
  if (!line) return undefined;
  const column = line.indexOf(key);
  const keyInLine = (other: readonly string[] | undefined): string | undefined =>
    other?.[Math.min(column, other.length - 1)];
  const moves: Record<string, () => string | undefined> = {
    ArrowUp: () => keyInLine(lines[at - 1]),
    ArrowDown: () => keyInLine(lines[at + 1]),
    ArrowLeft: () => line[column - 1],
    ArrowRight: () => line[column + 1],
    Home: () => keyInLine(lines[0]),
    End: () => keyInLine(lines.at(-1)),
  };
  return moves[pressedKey]?.();
}
