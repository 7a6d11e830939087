import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The minimum distance from the edge of the window, in pixels. */
const edge = 8;

/**
 * A popover that a button opens below itself. Its first control receives the focus, which returns
 * to the button when the popover closes: by Escape, by a click elsewhere, or when the focus leaves
 * it.
 */
export function Popover(props: {
  label: string;
  /** The button. The popover is in the same positioned element. */
  anchor: HTMLElement;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { anchor } = props;
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(props.onClose);
  close.current = props.onClose;
  const [left, setLeft] = useState(0);
  useLayoutEffect(() => {
    const box = element.current!;
    const place = (): void => {
      const start = anchor.getBoundingClientRect().left;
      const room = document.documentElement.clientWidth - edge - box.offsetWidth;
      const parent = box.offsetParent?.getBoundingClientRect().left ?? 0;
      setLeft(Math.max(edge, Math.min(start, room)) - parent);
    };
    place();
    window.addEventListener('resize', place);
    box.querySelector<HTMLElement>('input, select, button, a')?.focus({ preventScroll: true });
    return () => {
      window.removeEventListener('resize', place);
      const focus = document.activeElement;
      if (focus && focus !== document.body && !box.contains(focus)) return;
      if (anchor.isConnected) anchor.focus({ preventScroll: true });
    };
  }, [anchor]);
  useEffect(() => {
    const away = (event: Event): void => {
      const { target } = event;
      const box = element.current;
      // Another popover may have opened already.
      if (!box || !(target instanceof Node) || !target.isConnected) return;
      if (!box.contains(target) && !anchor.contains(target)) close.current();
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
    };
  }, [anchor]);
  return (
    <div
      ref={element}
      class="popover"
      role="dialog"
      aria-label={props.label}
      style={{ left: `${left}px` }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close.current();
      }}
    >
      {props.children}
    </div>
  );
}
