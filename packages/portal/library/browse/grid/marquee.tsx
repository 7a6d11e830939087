import { useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../item.ts';
import type { Items } from '../list/items.ts';
import { type GridLayout, type Rectangle, tilesIn } from './grid-layout.ts';
import type { Selection } from './selection.ts';

/** A pointer that moved less than this, in pixels, counts as a click. */
const clickTolerance = 6;
/** Dragging closer than this to an edge of the window, in pixels, scrolls. */
const scrollMargin = 48;

interface Drag {
  /** Its starting point, within the grid. */
  x: number;
  y: number;
  /** The previous selection, if the drag adds to it. */
  previousItems: readonly Item[];
  hasMoved: boolean;
}

/**
 * Selects the tiles that overlap a rectangle drawn with the mouse. With Shift, Ctrl or ⌘, they are
 * added to the selection. Returns the rectangle, and the handler that starts it.
 */
export function useMarquee(
  grid: { current: HTMLElement | null },
  layout: GridLayout,
  items: Items,
  selection: Selection | null,
): { marquee: Rectangle | null; onPointerDown: (event: PointerEvent) => void } {
  const [band, setMarquee] = useState<Rectangle | null>(null);
  const drag = useRef<Drag | null>(null);
  const latest = useRef({ layout, items, selection });
  latest.current = { layout, items, selection };

  useEffect(() => {
    let pointer = { clientX: 0, clientY: 0 };
    let frame = 0;
    const updateSelection = (): void => {
      const start = drag.current;
      const element = grid.current;
      if (!start || !element) return;
      const box = element.getBoundingClientRect();
      const [x, y] = [pointer.clientX - box.left, pointer.clientY - box.top];
      start.hasMoved ||= Math.hypot(x - start.x, y - start.y) > clickTolerance;
      if (!start.hasMoved) return;
      const {
        layout: currentLayout,
        items: allItems,
        selection: currentSelection,
      } = latest.current;
      const area = {
        left: Math.max(0, Math.min(x, start.x)),
        top: Math.max(0, Math.min(y, start.y)),
        right: Math.min(box.width, Math.max(x, start.x)),
        bottom: Math.min(box.height, Math.max(y, start.y)),
      };
      setMarquee(area);
      const overlapping = tilesIn(currentLayout, area).map((at) => allItems.at(at));
      currentSelection?.replace([
        ...start.previousItems,
        ...overlapping.filter((item) => item !== undefined),
      ]);
    };
    const scroll = (): void => {
      frame = 0;
      if (!drag.current?.hasMoved) return;
      const { clientY } = pointer;
      const direction =
        clientY < scrollMargin ? -1 : clientY > window.innerHeight - scrollMargin ? 1 : 0;
      if (direction !== 0) {
        window.scrollBy(0, direction * 12);
        updateSelection();
      }
      frame = requestAnimationFrame(scroll);
    };
    const move = (event: PointerEvent): void => {
      if (!drag.current) return;
      pointer = event;
      updateSelection();
      frame ||= requestAnimationFrame(scroll);
    };
    const end = (): void => {
      if (!drag.current) return;
      if (drag.current.hasMoved) suppressNextClick();
      drag.current = null;
      setMarquee(null);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, []);

  return {
    marquee: band,
    onPointerDown: (event) => {
      const isControl =
        event.target instanceof Element && event.target.closest('input, button, [draggable=true]');
      if (!selection || event.pointerType !== 'mouse' || event.button !== 0 || isControl) return;
      const box = grid.current!.getBoundingClientRect();
      const isAdding = event.shiftKey || event.ctrlKey || event.metaKey;
      drag.current = {
        x: event.clientX - box.left,
        y: event.clientY - box.top,
        previousItems: isAdding ? [...selection.items.values()] : [],
        hasMoved: false,
      };
    },
  };
}

/** The rectangle while it is drawn. */
export function Marquee({ area }: { area: Rectangle | null }) {
  if (!area) return null;
  const { left, top, right, bottom } = area;
  return (
    <div
      class="browse-band"
      aria-hidden="true"
      style={{
        left: `${left}px`,
        top: `${top}px`,
        width: `${right - left}px`,
        height: `${bottom - top}px`,
      }}
    />
  );
}

/** Suppresses the click that follows a drag. */
function suppressNextClick(): void {
  const suppress = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', suppress, { capture: true, once: true });
  window.setTimeout(() => window.removeEventListener('click', suppress, true));
}
