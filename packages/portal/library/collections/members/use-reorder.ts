import type {
  CollectionRecord,
  ListedMember,
  MemberMove,
  MemberRef,
} from '@scriptorium/contracts/wire/library/collections';
import { useRef, useState } from 'preact/hooks';
import { type LoadedList, useAction } from '../../../api/hooks.ts';
import { type ResponseOf, requestFor } from '../../../api/request.ts';
import { nameOf } from './tile.tsx';

/**
 * Reorders members. Dragging, or Alt with an arrow key, moves a member. After its Move button is
 * pressed, arrow keys move it, Enter drops it and Escape cancels. Each move is saved relative to a
 * neighbour; `announcement` is the text for screen readers.
 */
export function useReorder(
  record: CollectionRecord,
  list: LoadedList<ListedMember, ResponseOf<'listCollectionMembers'>>,
) {
  const { items } = list;
  const total = record.member_count ?? items.length;
  const [announcement, announce] = useState('');
  const element = useRef<HTMLOListElement>(null);
  const { place, isMoving } = useMoveWithFocus(element, list, (member, to) =>
    announce(`${nameOf(member)}: position ${to + 1} of ${total}.`),
  );
  const save = useMoveQueue(record.id, list.reload);
  const [grabbed, setGrabbed] = useState<{ key: string; previousOrder: ListedMember[] } | null>(
    null,
  );

  const indexOfKey = (key: string): number => items.findIndex((item) => keyOf(item) === key);
  const moveTo = (key: string, to: number): void => {
    const from = indexOfKey(key);
    const next = place(from, to);
    if (next && !grabbed) save(items[from]!, next);
  };
  const drop = (): void => {
    if (!grabbed) return;
    const at = indexOfKey(grabbed.key);
    if (grabbed.previousOrder.findIndex((item) => keyOf(item) === grabbed.key) !== at) {
      save(items[at]!, items);
    }
    announce(`${nameOf(items[at]!)} dropped at position ${at + 1} of ${total}.`);
    setGrabbed(null);
  };
  const grab = (key: string): void => {
    if (grabbed?.key === key) {
      drop();
      return;
    }
    setGrabbed({ key, previousOrder: [...items] });
    const at = indexOfKey(key);
    announce(
      `${nameOf(items[at]!)} picked up at position ${at + 1} of ${total}. Press the arrow keys to move it, Enter to drop it, or Escape to cancel.`,
    );
  };
  const onKey = (event: KeyboardEvent, key: string): void => {
    const isGrabbed = grabbed?.key === key;
    const at = indexOfKey(key);
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ...(isGrabbed ? { Home: 0, End: items.length - 1 } : {}),
    };
    const to = targets[event.key];
    if (to !== undefined && (event.altKey || isGrabbed)) {
      event.preventDefault();
      moveTo(key, to);
    } else if (isGrabbed && event.key === 'Escape') {
      event.preventDefault();
      list.updateItems(() => grabbed.previousOrder);
      setGrabbed(null);
      announce('Move cancelled.');
    }
  };
  return {
    /** The list of members. */
    element,
    announcement,
    isGrabbed: (key: string): boolean => grabbed?.key === key,
    grab,
    onKey,
    onLeave: (key: string): void => {
      if (grabbed?.key === key && !isMoving()) drop();
    },
    /** Moves a member to a gap: 0 is before the first member. */
    moveToGap: (key: string, gap: number): void => {
      const from = indexOfKey(key);
      moveTo(key, gap > from ? gap - 1 : gap);
    },
  };
}

/** Moves members in the list, and keeps the focus on the moved member. */
function useMoveWithFocus(
  element: { current: HTMLOListElement | null },
  list: LoadedList<ListedMember, ResponseOf<'listCollectionMembers'>>,
  onMoved: (member: ListedMember, to: number) => void,
) {
  const { items } = list;
  /** True while a member moves in the document: losing focus then does not drop it. */
  const isMovingRef = useRef(false);
  const moveInList = (from: number, to: number): ListedMember[] | null => {
    if (from < 0 || to < 0 || to >= items.length || from === to) return null;
    const next = moveElement(items, from, to);
    list.updateItems(() => next);
    onMoved(items[from]!, to);
    // The element loses the focus because it is moved in the document.
    const key = keyOf(items[from]!);
    const focusedElement = document.activeElement;
    isMovingRef.current = true;
    // Runs after the render, which is also a microtask, and before the next key press.
    queueMicrotask(() => {
      isMovingRef.current = false;
      const movedElement = element.current?.querySelector(`[data-key="${key}"]`);
      if (movedElement?.contains(focusedElement) && focusedElement instanceof HTMLElement)
        focusedElement.focus();
    });
    return next;
  };
  return { place: moveInList, isMoving: (): boolean => isMovingRef.current };
}

/** Sends moves one at a time, in order. */
function useMoveQueue(collectionId: string, reload: () => void) {
  const { run } = useAction();
  const queue = useRef(Promise.resolve());
  return (member: ListedMember, order: readonly ListedMember[]): void => {
    const body = relativePosition(order, order.indexOf(member));
    if (!body) return;
    queue.current = queue.current.then(async () => {
      // After a failure, the displayed order may be wrong, so it is reloaded.
      if (
        !(await run(
          requestFor('moveCollectionMember', {
            id: collectionId,
            type: refOf(member).resource_type,
            rid: refOf(member).resource_id,
            body,
          }),
        ))
      )
        reload();
    });
  };
}

export function keyOf(member: Pick<ListedMember, 'resource_id'>): string {
  return member.resource_id;
}

/** Returns a reference to a member, for request bodies. */
export function refOf({ resource_type, resource_id }: ListedMember): MemberRef {
  return { resource_type, resource_id };
}

/** Returns a copy of the list with one item moved. */
function moveElement<T>(items: readonly T[], from: number, to: number): T[] {
  const others = items.filter((_, at) => at !== from);
  return [...others.slice(0, to), items[from]!, ...others.slice(to)];
}

/** Returns the position of a member relative to its neighbour; null if it has none. */
function relativePosition(items: readonly ListedMember[], at: number): MemberMove | null {
  const before = items[at - 1];
  if (before) return { after: refOf(before) };
  const next = items[at + 1];
  return next ? { before: refOf(next) } : null;
}
