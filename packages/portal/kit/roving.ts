import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Focuses an element of a container again if the focused element was replaced or moved. */
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

/** The properties of a control in the group. */
export interface Rover {
  'data-rover': string;
  tabIndex: number;
}

/**
 * A single stop of the Tab key for a group of controls, as in the ARIA authoring practices: Tab
 * enters and leaves it; arrow keys, Home and End move within it. `lines` are the keys of its
 * controls, line by line.
 */
export function useRoving<E extends HTMLElement>(lines: readonly (readonly string[])[]) {
  const element = useRef<E>(null);
  const [last, setLast] = useState<string | null>(null);
  const all = lines.flat();
  const current = last !== null && all.includes(last) ? last : all[0];
  const find = (key: string | undefined): HTMLElement | undefined => {
    const controls = element.current?.querySelectorAll<HTMLElement>('[data-rover]') ?? [];
    return [...controls].find(({ dataset }) => dataset.rover === key);
  };
  // Selecting an item may reorder the group.
  useKeptFocus(element, () => find(current));
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = roverOf(event.target);
    if (key === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = moved(lines, key, event.key);
    if (to === undefined) return;
    event.preventDefault();
    find(to)?.focus();
  };
  return {
    group: {
      ref: element,
      onKeyDown,
      onFocusIn: (event: FocusEvent): void => setLast(roverOf(event.target) ?? null),
    },
    rover: (key: string): Rover => ({ 'data-rover': key, tabIndex: key === current ? 0 : -1 }),
  };
}

function roverOf(target: EventTarget | null): string | undefined {
  const control = target instanceof HTMLElement && target.closest<HTMLElement>('[data-rover]');
  return control ? control.dataset.rover : undefined;
}

function moved(lines: readonly (readonly string[])[], key: string, press: string) {
  const at = lines.findIndex((line) => line.includes(key));
  const line = lines[at];
  if (!line) return undefined;
  const column = line.indexOf(key);
  const onLine = (other: readonly string[] | undefined): string | undefined =>
    other?.[Math.min(column, other.length - 1)];
  const moves: Record<string, () => string | undefined> = {
    ArrowUp: () => onLine(lines[at - 1]),
    ArrowDown: () => onLine(lines[at + 1]),
    ArrowLeft: () => line[column - 1],
    ArrowRight: () => line[column + 1],
    Home: () => onLine(lines[0]),
    End: () => onLine(lines.at(-1)),
  };
  return moves[press]?.();
}
