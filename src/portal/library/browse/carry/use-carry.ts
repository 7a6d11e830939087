import { useEffect, useRef, useState } from 'preact/hooks';
import { slack, swallowClick } from '../grid/pointer.ts';
import type { Selection } from '../grid/selection.ts';
import type { Item } from '../item.ts';

/** What is dragged: one item, or the selection if the item is selected. */
export interface Carried extends Pick<Selection, 'items' | 'all'> {
  /** Where it was when the drag began, within the window. */
  x: number;
  y: number;
}

/** Where something can be dropped: a collection, or null to choose one. */
export type DropTarget = { id: string; name: string } | null;

/** The attributes of an element that items can be dropped on. */
export const targetProps = (target: DropTarget) => ({
  'data-collection': target?.id ?? '',
  'data-name': target?.name,
});

/** Drags items by their pictures and names, with a mouse or a pen; touching scrolls. */
export function useCarry(options: {
  itemAt: (index: number) => Item | undefined;
  selection: Selection;
  /** Undefined if items cannot be dropped anywhere. */
  onDrop: ((target: DropTarget, carried: Carried) => void) | undefined;
}) {
  const [carried, setCarried] = useState<Carried | null>(null);
  /** The identifier of the collection under the pointer. */
  const [over, setOver] = useState<string | undefined>();
  const drag = useRef<{ x: number; y: number; item: Item; carried: Carried | null } | null>(null);
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const end = (): void => {
      if (drag.current?.carried) swallowClick();
      drag.current = null;
      setCarried(null);
      setOver(undefined);
    };
    const move = (event: PointerEvent): void => {
      const from = drag.current;
      if (!from) return;
      const { clientX: x, clientY: y } = event;
      if (!from.carried) {
        if (Math.hypot(x - from.x, y - from.y) <= slack) return;
        const { selection } = latest.current;
        const { items, all } = selection.has(from.item.id)
          ? selection
          : { items: new Map([[from.item.id, from.item]]), all: false };
        from.carried = { items, all, x, y };
        setCarried(from.carried);
      }
      setOver(targetAt(event)?.dataset.collection);
    };
    const drop = (event: PointerEvent): void => {
      const target = drag.current?.carried && targetAt(event);
      if (target) {
        const { collection: id, name } = target.dataset;
        latest.current.onDrop?.(id && name ? { id, name } : null, drag.current!.carried!);
      }
      end();
    };
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !drag.current?.carried) return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', end);
    window.addEventListener('keydown', cancel, true);
    return () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', end);
      window.removeEventListener('keydown', cancel, true);
    };
  }, []);

  return {
    carried,
    over,
    /** Returns whether the pointer may begin to drag an item. */
    onPointerDown: (event: PointerEvent): boolean => {
      const { onDrop, itemAt } = latest.current;
      const selects = event.shiftKey || event.ctrlKey || event.metaKey;
      if (!onDrop || event.button !== 0 || event.pointerType === 'touch' || selects) return false;
      const handle =
        event.target instanceof Element
          ? event.target.closest('.browse-picture, .browse-name')
          : null;
      const cell = handle?.closest<HTMLElement>('[data-index]');
      const item = cell ? itemAt(Number(cell.dataset.index)) : undefined;
      if (!item) return false;
      drag.current = { x: event.clientX, y: event.clientY, item, carried: null };
      return true;
    },
  };
}

function targetAt({ clientX, clientY }: PointerEvent): HTMLElement | null {
  const under = document.elementFromPoint(clientX, clientY);
  return under?.closest<HTMLElement>('[data-collection]') ?? null;
}
