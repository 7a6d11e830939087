import { useRef, useState } from 'preact/hooks';

/** The side of a tile on which the dragged item would be dropped. */
export type DropSide = 'before' | 'after' | null;

const dragType = 'application/x-library-item';

/** Moves items by dragging their tiles. */
export function useReorder(onMove: (from: number, to: number) => void, isList: boolean) {
  const draggedIndex = useRef<number | null>(null);
  const [target, setTarget] = useState<{ index: number; side: DropSide } | null>(null);
  const handlers = {
    onDragStart: (event: DragEvent): void => {
      const index = tileIndex(event);
      if (index === null || !event.dataTransfer) return;
      event.dataTransfer.setData(dragType, String(index));
      draggedIndex.current = index;
    },
    onDragOver: (event: DragEvent): void => {
      const index = tileIndex(event);
      if (index === null || draggedIndex.current === null) return;
      event.preventDefault();
      const side = sideOf(event, isList);
      if (target?.index !== index || target.side !== side) setTarget({ index, side });
    },
    onDragEnd: (): void => {
      draggedIndex.current = null;
      setTarget(null);
    },
    onDrop: (event: DragEvent): void => {
      const from = draggedIndex.current;
      if (from === null || !target) return;
      event.preventDefault();
      setTarget(null);
      const gap = target.index + (target.side === 'after' ? 1 : 0);
      onMove(from, gap > from ? gap - 1 : gap);
    },
  };
  return {
    handlers,
    dropSideOf: (index: number): DropSide => (target?.index === index ? target.side : null),
  };
}

function tileOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
}

function tileIndex(event: Event): number | null {
  const tile = tileOf(event);
  return tile && Number(tile.dataset.index);
}

function sideOf(event: DragEvent, isList: boolean): DropSide {
  const { left, top, width, height } = tileOf(event)!.getBoundingClientRect();
  const isAfter = isList ? event.clientY > top + height / 2 : event.clientX > left + width / 2;
  return isAfter ? 'after' : 'before';
}
