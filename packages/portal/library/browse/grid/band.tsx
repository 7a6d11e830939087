import { useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../item.ts';
import type { Items } from '../list/items.ts';
import { type GridLayout, type Rectangle, within } from './grid-layout.ts';
import type { Selection } from './selection.ts';

/** A pointer that moved less than this, in pixels, counts as a click. */
const slack = 6;
/** Dragging closer than this to an edge of the window scrolls. */
const edge = 48;

interface Drag {
  /** Its starting point, within the grid. */
  x: number;
  y: number;
  /** The previous selection, if the drag adds to it. */
  kept: readonly Item[];
  moved: boolean;
}

/**
 * Selects the tiles that a rectangle overlaps, which is drawn by dragging with a mouse. With Shift,
 * Ctrl or ⌘ they are added to the selection. Returns the rectangle, and the handler that starts it.
 */
export function useBand(
  grid: { current: HTMLElement | null },
  layout: GridLayout,
  items: Items,
  selection: Selection | null,
): { band: Rectangle | null; onPointerDown: (event: PointerEvent) => void } {
  const [band, setBand] = useState<Rectangle | null>(null);
  const drag = useRef<Drag | null>(null);
  const latest = useRef({ layout, items, selection });
  latest.current = { layout, items, selection };

  useEffect(() => {
    let pointer = { clientX: 0, clientY: 0 };
    let frame = 0;
    const stretch = (): void => {
      const from = drag.current;
      const element = grid.current;
      if (!from || !element) return;
      const box = element.getBoundingClientRect();
      const [x, y] = [pointer.clientX - box.left, pointer.clientY - box.top];
      from.moved ||= Math.hypot(x - from.x, y - from.y) > slack;
      if (!from.moved) return;
      const { layout: tiles, items: all, selection: chosen } = latest.current;
      const next = {
        left: Math.max(0, Math.min(x, from.x)),
        top: Math.max(0, Math.min(y, from.y)),
        right: Math.min(box.width, Math.max(x, from.x)),
        bottom: Math.min(box.height, Math.max(y, from.y)),
      };
      setBand(next);
      const touched = within(tiles, next).map((at) => all.at(at));
      chosen?.replace([...from.kept, ...touched.filter((item) => item !== undefined)]);
    };
    const scroll = (): void => {
      frame = 0;
      if (!drag.current?.moved) return;
      const { clientY } = pointer;
      const by = clientY < edge ? -1 : clientY > window.innerHeight - edge ? 1 : 0;
      if (by !== 0) {
        window.scrollBy(0, by * 12);
        stretch();
      }
      frame = requestAnimationFrame(scroll);
    };
    const move = (event: PointerEvent): void => {
      if (!drag.current) return;
      pointer = event;
      stretch();
      frame ||= requestAnimationFrame(scroll);
    };
    const end = (): void => {
      if (!drag.current) return;
      if (drag.current.moved) swallowClick();
      drag.current = null;
      setBand(null);
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
    band,
    onPointerDown: (event) => {
      const isControl = event.target instanceof Element && event.target.closest('input, button');
      if (!selection || event.pointerType !== 'mouse' || event.button !== 0 || isControl) return;
      const box = grid.current!.getBoundingClientRect();
      const adds = event.shiftKey || event.ctrlKey || event.metaKey;
      drag.current = {
        x: event.clientX - box.left,
        y: event.clientY - box.top,
        kept: adds ? [...selection.items.values()] : [],
        moved: false,
      };
    },
  };
}

/** The rectangle while it is drawn. */
export function Band({ area }: { area: Rectangle | null }) {
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

/** The click that follows a drag is part of it. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  window.setTimeout(() => window.removeEventListener('click', swallow, true));
}
