import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Whether a list must hold still, because a person is using it. */
export interface ListUse {
  /** The element of the list and all that its rows would move. */
  element: RefObject<HTMLDivElement | null>;
  isInUse: () => boolean;
}

/**
 * Returns whether the pointer is over a list, the focus is in it, or its beginning is scrolled out of
 * view. Calls `onFree` when the pointer or the focus has left it, or its beginning is in view again.
 */
export function useListUse(onFree: () => void): ListUse {
  const element = useRef<HTMLDivElement>(null);
  const isInUse = useRef(
    () => isHovered(element.current) || hasFocus(element.current) || isScrolled(element.current),
  );
  const latestOnFree = useRef(onFree);
  latestOnFree.current = onFree;
  useEffect(() => {
    let timer: number | undefined;
    let wasScrolled = false;
    const checkSoon = (): void => {
      // After the event, the element that receives the focus has it.
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (!isInUse.current()) latestOnFree.current();
      });
    };
    const check = ({ target }: Event): void => {
      if (target instanceof Node && element.current?.contains(target)) checkSoon();
    };
    const checkScroll = (): void => {
      const isBack = wasScrolled && !isScrolled(element.current);
      wasScrolled = isScrolled(element.current);
      if (isBack) checkSoon();
    };
    // On the document, because the list may be rendered later. `pointerout` also occurs within it.
    document.addEventListener('pointerout', check);
    document.addEventListener('focusout', check);
    document.addEventListener('scroll', checkScroll);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('pointerout', check);
      document.removeEventListener('focusout', check);
      document.removeEventListener('scroll', checkScroll);
    };
  }, []);
  return { element, isInUse: isInUse.current };
}

/** On touch screens, an element stays hovered after a tap. */
const canHover = window.matchMedia('(hover: hover)');

const isHovered = (element: HTMLElement | null): boolean =>
  canHover.matches && element?.matches(':hover') === true;

/** The element itself may have no box. */
const isScrolled = (element: HTMLElement | null): boolean =>
  (element?.firstElementChild?.getBoundingClientRect().top ?? 0) < 0;

const hasFocus = (element: HTMLElement | null): boolean =>
  element?.contains(document.activeElement) === true;
