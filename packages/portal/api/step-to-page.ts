export interface Step<T> {
  items: T[];
  /** The items of the page that are not shown yet. */
  newIds: string[];
  /** Whether a row was added or removed. */
  hasMoved: boolean;
  /** Whether rows are still to be added or removed. */
  isComplete: boolean;
}

/**
 * Updates the items of a list from its current first page, and adds at most one and removes at most
 * one. Items after those of the page stay: new ones may have moved them to the next page.
 * @param mayMove whether an item may be added or removed
 * @param belongs whether an item that was updated since still matches the filters
 * @param newer returns the newer of two versions of an item
 */
export function stepToPage<T extends { id: string }>(
  items: readonly T[],
  page: { data: readonly T[]; next_cursor: string | null },
  mayMove: boolean,
  belongs: (item: T) => boolean,
  newer: (shown: T, loaded: T) => T,
): Step<T> {
  const loaded = new Map(page.data.map((item) => [item.id, item]));
  const shownIds = new Set(items.map(({ id }) => id));
  const lastOfPage =
    page.next_cursor === null ? items.length : items.findLastIndex(({ id }) => loaded.has(id));
  const updated = items.map((item) => newer(item, loaded.get(item.id) ?? item));
  const gone = updated.filter(
    (item, at) => !loaded.has(item.id) && (at < lastOfPage || !belongs(item)),
  );
  const added = page.data.filter(({ id }) => !shownIds.has(id));
  const isOpen = gone.length + added.length > 0;
  if (!mayMove || !isOpen) {
    return {
      items: updated,
      newIds: added.map(({ id }) => id),
      hasMoved: false,
      isComplete: !isOpen,
    };
  }
  const removed = gone.pop();
  const next = updated.filter((item) => item !== removed);
  const last = added.pop();
  if (last) {
    const before = page.data
      .slice(0, page.data.indexOf(last))
      .findLast(({ id }) => shownIds.has(id));
    next.splice(before ? next.findIndex(({ id }) => id === before.id) + 1 : 0, 0, last);
  }
  return {
    items: next,
    newIds: added.map(({ id }) => id),
    hasMoved: true,
    isComplete: gone.length + added.length === 0,
  };
}
