import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Item } from '../item.ts';

export interface Selection {
  /** The items selected one by one; empty if `all`. */
  items: ReadonlyMap<string, Item>;
  /** All results are selected, loaded or not. */
  all: boolean;
  isEmpty: boolean;
  has: (id: string) => boolean;
  /** Toggles an item. Without one of all results, those of `loaded` that are left are selected. */
  toggle: (item: Item, loaded: readonly Item[]) => void;
  add: (items: readonly Item[]) => void;
  /** Selects exactly these. */
  replace: (items: readonly Item[]) => void;
  setAll: () => void;
  /** Applies a change to the items selected one by one. */
  edit: (change: (item: Item) => Item) => void;
  clear: () => void;
}

const none: ReadonlyMap<string, Item> = new Map();

/** The selected items; cleared when `list` changes. */
export function useSelection(list: string): Selection {
  const [state, setState] = useState({ items: none, all: false });
  const clear = useCallback(() => setState({ items: none, all: false }), []);
  useEffect(clear, [list]);
  return {
    ...state,
    isEmpty: !state.all && state.items.size === 0,
    has: (id) => state.all || state.items.has(id),
    toggle: useCallback((item: Item, loaded: readonly Item[]) => {
      setState((now) => {
        const items = now.all ? new Map(loaded.map((one) => [one.id, one])) : new Map(now.items);
        if (!items.delete(item.id)) items.set(item.id, item);
        return { items, all: false };
      });
    }, []),
    add: useCallback((added: readonly Item[]) => {
      setState((now) => ({
        items: new Map([...now.items, ...added.map((item) => [item.id, item] as const)]),
        all: false,
      }));
    }, []),
    replace: useCallback((items: readonly Item[]) => {
      setState({ items: new Map(items.map((item) => [item.id, item])), all: false });
    }, []),
    setAll: useCallback(() => setState({ items: none, all: true }), []),
    edit: useCallback((change: (item: Item) => Item) => {
      setState((now) => ({
        ...now,
        items: new Map([...now.items].map(([id, item]) => [id, change(item)])),
      }));
    }, []),
    clear,
  };
}
