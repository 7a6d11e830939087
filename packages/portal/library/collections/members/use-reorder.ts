import type {
  CollectionRecord,
  ListedMember,
  MemberMove,
  MemberRef,
} from '@scriptorium/contracts/wire/library/collections';
import { useRef, useState } from 'preact/hooks';
import { type LoadedList, useAction } from '../../../api/hooks.ts';
import { type AnswerOf, requestFor } from '../../../api/request.ts';
import { nameOf } from './tile.tsx';

/**
 * Reorders members. A member is moved by dragging, with Alt and an arrow key, or with its Move
 * button: then arrow keys move it, Enter drops it and Escape cancels. Each move is saved relative
 * to a neighbour; `announcement` is the text for screen readers.
 */
export function useReorder(
  record: CollectionRecord,
  list: LoadedList<ListedMember, AnswerOf<'listCollectionMembers'>>,
) {
  const { items } = list;
  const total = record.member_count ?? items.length;
  const [announcement, announce] = useState('');
  const element = useRef<HTMLOListElement>(null);
  const { place, isPlacing } = usePlace(element, list, (member, to) =>
    announce(`${nameOf(member)}: position ${to + 1} of ${total}.`),
  );
  const save = useSavedMoves(record.id, list.reload);
  const [grabbed, setGrabbed] = useState<{ key: string; before: ListedMember[] } | null>(null);

  const find = (key: string): number => items.findIndex((item) => keyOf(item) === key);
  const moveTo = (key: string, to: number): void => {
    const from = find(key);
    const next = place(from, to);
    if (next && !grabbed) save(items[from]!, next);
  };
  const drop = (): void => {
    if (!grabbed) return;
    const at = find(grabbed.key);
    if (grabbed.before.findIndex((item) => keyOf(item) === grabbed.key) !== at) {
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
    setGrabbed({ key, before: [...items] });
    const at = find(key);
    announce(
      `${nameOf(items[at]!)} picked up at position ${at + 1} of ${total}. Press the arrow keys to move it, Enter to drop it, or Escape to cancel.`,
    );
  };
  const onKey = (event: KeyboardEvent, key: string): void => {
    const isGrabbed = grabbed?.key === key;
    const at = find(key);
    const places: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ...(isGrabbed ? { Home: 0, End: items.length - 1 } : {}),
    };
    const to = places[event.key];
    if (to !== undefined && (event.altKey || isGrabbed)) {
      event.preventDefault();
      moveTo(key, to);
    } else if (isGrabbed && event.key === 'Escape') {
      event.preventDefault();
      list.edit(() => grabbed.before);
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
      if (grabbed?.key === key && !isPlacing()) drop();
    },
    /** Moves a member to a gap: 0 is before the first member. */
    moveToGap: (key: string, gap: number): void => {
      const from = find(key);
      moveTo(key, gap > from ? gap - 1 : gap);
    },
  };
}

/** Moves members in the list, keeping focus on the moved one. */
function usePlace(
  element: { current: HTMLOListElement | null },
  list: LoadedList<ListedMember, AnswerOf<'listCollectionMembers'>>,
  onPlaced: (member: ListedMember, to: number) => void,
) {
  const { items } = list;
  /** True while a member moves in the document: losing focus then does not drop it. */
  const placing = useRef(false);
  const place = (from: number, to: number): ListedMember[] | null => {
    if (from < 0 || to < 0 || to >= items.length || from === to) return null;
    const next = placed(items, from, to);
    list.edit(() => next);
    onPlaced(items[from]!, to);
    // The element is moved in the document, which makes it lose focus.
    const key = keyOf(items[from]!);
    const focused = document.activeElement;
    placing.current = true;
    // Runs after the render, which is also a microtask, and before the next key press.
    queueMicrotask(() => {
      placing.current = false;
      const still = element.current?.querySelector(`[data-key="${key}"]`);
      if (still?.contains(focused) && focused instanceof HTMLElement) focused.focus();
    });
    return next;
  };
  return { place, isPlacing: (): boolean => placing.current };
}

/** Sends moves one at a time, in order. */
function useSavedMoves(collectionId: string, reload: () => void) {
  const { run } = useAction();
  const sending = useRef(Promise.resolve());
  return (member: ListedMember, order: readonly ListedMember[]): void => {
    const body = moveOf(order, order.indexOf(member));
    if (!body) return;
    sending.current = sending.current.then(async () => {
      // The displayed order may be wrong now, so it is reloaded.
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
function placed<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/** Returns the position of a member, relative to its neighbour; null if it is the only one. */
function moveOf(items: readonly ListedMember[], at: number): MemberMove | null {
  const before = items[at - 1];
  if (before) return { after: refOf(before) };
  const next = items[at + 1];
  return next ? { before: refOf(next) } : null;
}
