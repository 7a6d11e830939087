import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../item.ts';
import type { Results } from '../results.ts';

export interface Selection {
  /** The items selected one by one; empty if `isAll`. */
  items: ReadonlyMap<string, Item>;
  /** All results are selected, loaded or not. */
  isAll: boolean;
  isEmpty: boolean;
  has: (id: string) => boolean;
  /**
   * Toggles an item. If all results are selected, this selects the other items of `loaded` instead.
   */
  toggle: (item: Item, loaded: readonly Item[]) => void;
  add: (items: readonly Item[]) => void;
  /** Adds items once they are loaded, unless the selection or the results have changed by then. */
  addWhenLoaded: (items: Promise<readonly Item[] | null>) => void;
  /** Selects exactly these items. */
  replace: (items: readonly Item[]) => void;
  selectAll: () => void;
  /** Applies a change to the items selected one by one. */
  edit: (change: (item: Item) => Item) => void;
  clear: () => void;
}

interface SelectionState {
  items: ReadonlyMap<string, Item>;
  isAll: boolean;
}

const emptySelection: SelectionState = { items: new Map(), isAll: false };

/**
 * Manages the selected items. New results clear the selection; if it was changed while they were
 * loading, the items among the new results stay selected.
 */
export function useSelection(results: Results): Selection {
  const [state, setState] = useState(emptySelection);
  const latest = useRef(results);
  latest.current = results;
  const changedWhileStale = useRef(false);
  /** Counts the changes. */
  const changeCount = useRef(0);
  const change = useCallback((next: (now: SelectionState) => SelectionState) => {
    changedWhileStale.current ||= latest.current.stale;
    changeCount.current += 1;
    setState(next);
  }, []);
  const add = useCallback((added: readonly Item[]) => {
    change((now) => ({
      items: new Map([...now.items, ...added.map((item) => [item.id, item] as const)]),
      isAll: false,
    }));
  }, []);
  useEffect(() => {
    changeCount.current += 1;
    const items = latest.current.items.loaded;
    const isKept = changedWhileStale.current;
    changedWhileStale.current = false;
    setState((now) =>
      isKept && !now.isAll ? { ...now, items: keepSelected(items, now.items) } : emptySelection,
    );
  }, [results.key]);
  return {
    ...state,
    isEmpty: !state.isAll && state.items.size === 0,
    has: (id) => state.isAll || state.items.has(id),
    toggle: useCallback((item: Item, loaded: readonly Item[]) => {
      change((now) => {
        const items = now.isAll ? new Map(byId(loaded)) : new Map(now.items);
        if (!items.delete(item.id)) items.set(item.id, item);
        return { items, isAll: false };
      });
    }, []),
    add,
    addWhenLoaded: useCallback((items: Promise<readonly Item[] | null>) => {
      changeCount.current += 1;
      const countAtStart = changeCount.current;
      void items.then((added) => {
        if (added && changeCount.current === countAtStart) add(added);
      });
    }, []),
    replace: useCallback((items: readonly Item[]) => {
      change(() => ({ items: byId(items), isAll: false }));
    }, []),
    selectAll: useCallback(() => change(() => ({ ...emptySelection, isAll: true })), []),
    edit: useCallback((applyEdit: (item: Item) => Item) => {
      setState((now) => ({
        ...now,
        items: new Map([...now.items].map(([id, item]) => [id, applyEdit(item)])),
      }));
    }, []),
    clear: useCallback(() => change(() => emptySelection), []),
  };
}

const byId = (items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

function keepSelected(
  results: readonly Item[],
  selected: ReadonlyMap<string, Item>,
): ReadonlyMap<string, Item> {
  return byId(results.filter(({ id }) => selected.has(id)));
}
