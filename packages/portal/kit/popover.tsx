import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The minimum distance from the edge of the window, in pixels. */
const minMargin = 8;

/**
 * A popover below the button that opens it. Its first control receives the focus. The popover closes
 * on Escape, on a click elsewhere, or when the focus leaves it; the focus then returns to the
 * button, unless it is elsewhere.
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
    const updatePosition = (): void => {
      const anchorLeft = anchor.getBoundingClientRect().left;
      const maxLeft = document.documentElement.clientWidth - minMargin - box.offsetWidth;
      const parentLeft = box.offsetParent?.getBoundingClientRect().left ?? 0;
      setLeft(Math.max(minMargin, Math.min(anchorLeft, maxLeft)) - parentLeft);
    };
    updatePosition();
    window.addEventListener('resize', updatePosition);
    box.querySelector<HTMLElement>('input, select, button, a')?.focus({ preventScroll: true });
    return () => {
      window.removeEventListener('resize', updatePosition);
      const activeElement = document.activeElement;
      if (activeElement && activeElement !== document.body && !box.contains(activeElement)) return;
      if (anchor.isConnected) anchor.focus({ preventScroll: true });
    };
  }, [anchor]);
  useEffect(() => {
    const closeIfOutside = (event: Event): void => {
      const { target } = event;
      const box = element.current;
      // Another popover may have opened already.
      if (!box || !(target instanceof Node) || !target.isConnected) return;
      if (!box.contains(target) && !anchor.contains(target)) close.current();
    };
    document.addEventListener('pointerdown', closeIfOutside);
    document.addEventListener('focusin', closeIfOutside);
    return () => {
      document.removeEventListener('pointerdown', closeIfOutside);
      document.removeEventListener('focusin', closeIfOutside);
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
