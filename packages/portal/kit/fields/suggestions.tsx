import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Distance from the field, in pixels. */
const gap = 4;

/**
 * The values that a field suggests, below it or above it where there is more room. In the top layer,
 * so that it moves nothing and no dialog cuts it off.
 */
export function Suggestions(props: {
  id: string;
  field: { current: HTMLElement | null };
  label: string;
  values: readonly string[];
  /** The index of the value that Enter selects; -1 for none. */
  active: number;
  onChoose: (value: string) => void;
}) {
  const { id, field, values, active } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = (): void => {
      if (!list.current || !field.current) return;
      const { left, top, bottom, width } = field.current.getBoundingClientRect();
      const below = window.innerHeight - bottom;
      const isAbove = below < list.current.offsetHeight + gap && top > below;
      list.current.style.left = `${left}px`;
      list.current.style.width = `${width}px`;
      list.current.style.top = isAbove
        ? `${top - gap - list.current.offsetHeight}px`
        : `${bottom + gap}px`;
    };
    list.current?.showPopover();
    place();
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [values.length]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      key={values.length}
      ref={list}
      id={id}
      class="suggestions"
      popover="manual"
      role="listbox"
      aria-label={props.label}
    >
      {values.map((value, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={value}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          dir="auto"
          // The field keeps the focus; losing it would add what was typed so far.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => props.onChoose(value)}
        >
          {value}
        </div>
      ))}
    </div>
  );
}
