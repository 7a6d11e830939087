import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Item } from '../item.ts';
import type { Results } from '../results.ts';

export interface Selection {
  /** The items selected one by one; empty if `all`. */
  items: ReadonlyMap<string, Item>;
  /** All results are selected, loaded or not. */
  all: boolean;
  isEmpty: boolean;
  has: (id: string) => boolean;
  /**
   * Toggles an item. When one of all results is removed, the remaining items of `loaded` are
   * selected.
   */
  toggle: (item: Item, loaded: readonly Item[]) => void;
  add: (items: readonly Item[]) => void;
  /** Adds items once they are loaded, unless the selection or the results have changed by then. */
  addLater: (items: Promise<readonly Item[] | null>) => void;
  /** Selects exactly these. */
  replace: (items: readonly Item[]) => void;
  setAll: () => void;
  /** Applies a change to the items selected one by one. */
  edit: (change: (item: Item) => Item) => void;
  clear: () => void;
}

interface Selected {
  items: ReadonlyMap<string, Item>;
  all: boolean;
}

const nothing: Selected = { items: new Map(), all: false };

/**
 * The selected items. Other results end a selection. If it was changed while they were loading, its
 * items among the new results stay selected.
 */
export function useSelection(results: Results): Selection {
  const [state, setState] = useState(nothing);
  const latest = useRef(results);
  latest.current = results;
  const isAhead = useRef(false);
  /** Counts the changes. */
  const turn = useRef(0);
  const change = useCallback((next: (now: Selected) => Selected) => {
    isAhead.current ||= latest.current.stale;
    turn.current += 1;
    setState(next);
  }, []);
  const add = useCallback((added: readonly Item[]) => {
    change((now) => ({
      items: new Map([...now.items, ...added.map((item) => [item.id, item] as const)]),
      all: false,
    }));
  }, []);
  useEffect(() => {
    turn.current += 1;
    const items = latest.current.items.loaded;
    const isKept = isAhead.current;
    isAhead.current = false;
    setState((now) => (isKept && !now.all ? { ...now, items: among(items, now.items) } : nothing));
  }, [results.key]);
  return {
    ...state,
    isEmpty: !state.all && state.items.size === 0,
    has: (id) => state.all || state.items.has(id),
    toggle: useCallback((item: Item, loaded: readonly Item[]) => {
      change((now) => {
        const items = now.all ? new Map(byId(loaded)) : new Map(now.items);
        if (!items.delete(item.id)) items.set(item.id, item);
        return { items, all: false };
      });
    }, []),
    add,
    addLater: useCallback((items: Promise<readonly Item[] | null>) => {
      turn.current += 1;
      const asked = turn.current;
      void items.then((added) => {
        if (added && turn.current === asked) add(added);
      });
    }, []),
    replace: useCallback((items: readonly Item[]) => {
      change(() => ({ items: byId(items), all: false }));
    }, []),
    setAll: useCallback(() => change(() => ({ ...nothing, all: true })), []),
    edit: useCallback((edited: (item: Item) => Item) => {
      setState((now) => ({
        ...now,
        items: new Map([...now.items].map(([id, item]) => [id, edited(item)])),
      }));
    }, []),
    clear: useCallback(() => change(() => nothing), []),
  };
}

const byId = (items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]));

function among(
  results: readonly Item[],
  chosen: ReadonlyMap<string, Item>,
): ReadonlyMap<string, Item> {
  return byId(results.filter(({ id }) => chosen.has(id)));
}
