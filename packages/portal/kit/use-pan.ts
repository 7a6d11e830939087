import { useEffect, useRef } from 'preact/hooks';

/** A pointer that moved less than this, in pixels, counts as a click. */
const clickTolerance = 4;

const minZoom = 40;
const maxZoom = 400;

interface PanOptions {
  zoom: number;
  onZoom: (zoom: number) => void;
  /** Whether dragging with a mouse pans. Touch scrolls natively. */
  canDrag: boolean;
  /** Called for a press that did not become a drag. */
  onTap: (event: PointerEvent) => void;
}

/** Pans by dragging; zooms with Ctrl and the wheel, or with two fingers. */
export function usePan(frame: { current: HTMLElement | null }, options: PanOptions) {
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const dragStart = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  const pinch = useRef<{ distance: number; zoom: number } | null>(null);
  const hasMoved = useRef(false);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const element = frame.current!;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { zoom, onZoom } = latest.current;
      onZoom(limitZoom(zoom * Math.exp(-event.deltaY / 400)));
    };
    // A passive listener could not prevent the browser from zooming the whole page.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const end = (event: PointerEvent): void => {
    pointers.current.delete(event.pointerId);
    dragStart.current = null;
    pinch.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      hasMoved.current = false;
      const element = frame.current!;
      if (event.pointerType === 'touch') {
        const distance = fingerDistance(pointers.current);
        if (distance > 0) pinch.current = { distance, zoom: latest.current.zoom };
      } else if (latest.current.canDrag && event.button === 0) {
        const { scrollLeft: left, scrollTop: top } = element;
        dragStart.current = { x: event.clientX, y: event.clientY, left, top };
      }
    },
    onPointerMove: (event: PointerEvent): void => {
      if (!pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pinch.current) {
        const { distance, zoom } = pinch.current;
        latest.current.onZoom(limitZoom((zoom * fingerDistance(pointers.current)) / distance));
        hasMoved.current = true;
      }
      if (!dragStart.current) return;
      const dx = event.clientX - dragStart.current.x;
      const dy = event.clientY - dragStart.current.y;
      hasMoved.current ||= Math.hypot(dx, dy) > clickTolerance;
      if (!hasMoved.current) return;
      const element = frame.current!;
      element.setPointerCapture(event.pointerId);
      element.scrollLeft = dragStart.current.left - dx;
      element.scrollTop = dragStart.current.top - dy;
    },
    onPointerUp: (event: PointerEvent): void => {
      if (!hasMoved.current && pointers.current.has(event.pointerId)) latest.current.onTap(event);
      end(event);
    },
    onPointerCancel: end,
    onPointerLeave: end,
  };
}

/** Returns the distance between two fingers; 0 for any other number of fingers. */
function fingerDistance(pointers: ReadonlyMap<number, { x: number; y: number }>): number {
  const [first, second, third] = [...pointers.values()];
  return first && second && !third ? Math.hypot(first.x - second.x, first.y - second.y) : 0;
}

/** Returns a zoom within the limits, in percent. */
export function limitZoom(zoom: number): number {
  return Math.round(Math.min(maxZoom, Math.max(minZoom, zoom)));
}
