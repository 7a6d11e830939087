import { useEffect, useRef, useState } from 'preact/hooks';
import type { LoadedList, Page } from './hooks.ts';
import { type ListUse, useListUse } from './list-use.ts';
import { ApiProblem, type ApiRequest, pathOf, send } from './request.ts';
import { useRowPace } from './row-pace.ts';
import { type Step, stepToPage } from './step-to-page.ts';

export interface FirstPageOptions<T, P> {
  /** The request of the list. Null updates nothing. */
  request: ApiRequest<P> | null;
  /** Whether an item that was updated since still matches the filters. Default: it does. */
  belongs?: ((item: T) => boolean) | undefined;
  /** Returns the newer of two versions of an item. Default: the loaded one. */
  newer?: (shown: T, loaded: T) => T;
}

export interface FirstPage {
  /** The element of the list. */
  element: ListUse['element'];
  /** How many new items of the first page are not shown yet. */
  newCount: number;
  /** Shows all items of the first page. */
  showNew: () => void;
  /**
   * Loads the first page, updates the items that are shown, and, unless the list is in use, adds or
   * removes a row. The other rows follow one by one. Returns the ids of the items of the page.
   * @throws ApiProblem
   */
  update: () => Promise<ReadonlySet<string>>;
}

/** Keeps a list up to date with its first page, so that few rows move at a time. */
export function useFirstPage<T extends { id: string }, P extends Page<T>>(
  list: LoadedList<T, P>,
  options: FirstPageOptions<T, P>,
): FirstPage {
  const latest = useRef({ list, options });
  latest.current = { list, options };
  const [newIds, setNewIds] = useState<readonly string[]>([]);
  const isComplete = useRef(true);
  const pace = useRowPace(() => {
    update().catch((error: unknown) => {
      // The next event or the next use tries again.
      if (!(error instanceof ApiProblem)) throw error;
    });
  });
  const { element, isInUse } = useListUse(() => {
    if (!isComplete.current) pace.plan();
  });
  const key = keyOf(options.request);
  useEffect(() => {
    isComplete.current = true;
    setNewIds([]);
  }, [key]);

  const showNew = (): void => {
    isComplete.current = true;
    pace.recordMove();
    setNewIds([]);
    latest.current.list.reload();
  };
  const update = async (): Promise<ReadonlySet<string>> => {
    const { request } = latest.current.options;
    if (!request) return new Set();
    isComplete.current = false;
    const { data: page } = await send(request);
    const { list, options } = latest.current;
    // If filters were set meanwhile, another list has been loaded.
    if (keyOf(options.request) !== keyOf(request)) return new Set();
    const ids = new Set(page.data.map(({ id }) => id));
    if (list.loading) {
      // The response may be older than this one.
      pace.plan();
      return ids;
    }
    // An empty list has no rows that could move.
    if (list.items.length === 0) {
      if (ids.size > 0) showNew();
      else isComplete.current = true;
      return ids;
    }
    const mayMove = !isInUse() && pace.isDue();
    const step = (items: readonly T[]): Step<T> =>
      stepToPage(
        items,
        page,
        mayMove,
        options.belongs ?? (() => true),
        options.newer ?? ((_, loaded) => loaded),
      );
    const { newIds, hasMoved, isComplete: isDone } = step(list.items);
    if (hasMoved) pace.recordMove();
    isComplete.current = isDone;
    setNewIds(newIds);
    list.updateItems((items) => step(items).items);
    if (!isDone && !isInUse()) pace.plan();
    return ids;
  };
  // They may have been loaded meanwhile.
  const shownIds = new Set(list.items.map(({ id }) => id));
  return {
    element,
    newCount: newIds.filter((id) => !shownIds.has(id)).length,
    showNew,
    update,
  };
}

const keyOf = (request: ApiRequest<unknown> | null): string => (request ? pathOf(request) : '');
