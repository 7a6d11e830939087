import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { asProblem } from '../../../api/hooks.ts';
import type { ApiProblem } from '../../../api/request.ts';
import { type Item, itemOfImage, itemOfObject } from '../item.ts';
import type { Results, ShownFacets } from '../results.ts';
import { Pictures } from './pictures.ts';
import { pageSize } from './requests.ts';
import { type ListSource, SparseList } from './sparse-list.ts';

/** A list to load, and its counts. */
interface ItemList
  extends Pick<Results, 'key' | 'kind' | 'noun' | 'query' | 'sort' | 'sorts' | 'filter'> {
  /** Nothing is loaded unless the list is active. */
  active: boolean;
  /** The list of this key. `pictures` caches the images of objects. */
  source: (pictures: Pictures) => ListSource<ApiProblem>;
  counts: {
    data:
      | {
          total: number | null;
          facets?: ShownFacets;
          months?: readonly MonthCount[];
        }
      | undefined;
    reload: () => void;
  };
}

/** Loads a list of items. A new key starts a new list. */
export function useItems(description: ItemList): Results {
  const { key, kind, noun, query, sort, sorts, filter, active, counts } = description;
  const pictures = useRef(new Pictures()).current;
  const list = useSparseList(key, active, () => description.source(pictures));
  const { items, removedCount } = list;

  // Removed items that the count still includes: each removal is followed by a new count.
  const lastCount = useRef({ data: counts.data, gone: removedCount });
  if (lastCount.current.data !== counts.data || removedCount < lastCount.current.gone) {
    lastCount.current = { data: counts.data, gone: removedCount };
  }
  const uncountedRemovals = removedCount - lastCount.current.gone;

  const total = counts.data?.total ?? undefined;
  const latest: Omit<Results, keyof typeof changes | 'stale'> = {
    key,
    kind,
    noun,
    query,
    sort,
    sorts,
    filter,
    items,
    // If all loaded items were removed, there may still be more.
    count:
      list.count ??
      (items.end === 0 && removedCount === 0
        ? 0
        : Math.max(items.end + 1, (total ?? 0) - uncountedRemovals)),
    total:
      total === undefined
        ? undefined
        : Math.max(list.count ?? items.end, total - uncountedRemovals),
    facets: counts.data?.facets,
    months: counts.data?.months,
    correctedQuery: list.correctedQuery,
    problem: list.problem,
    loading: active && (list.loading || !list.hasBegun),
  };
  const recount = counts.reload;
  // An action may end, or be undone, while another list is shown.
  const latestList = useRef(list);
  latestList.current = list;
  const changes = {
    load: useCallback((from: number, to: number) => list.load(from, to), [list]),
    loadRange: useCallback((from: number, to: number) => list.loadRange(from, to), [list]),
    loadAll: useCallback(() => list.loadAll(), [list]),
    reload: useCallback(() => {
      latestList.current.reload();
      recount();
    }, [recount]),
    edit: useCallback(
      (change: (item: Item) => Item | null) => {
        latestList.current.edit(change);
        recount();
      },
      [recount],
    ),
    move: useCallback((from: number, to: number) => latestList.current.move(from, to), []),
    putImages: useCallback(
      (images: readonly ListedImage[]) => {
        if (images.length === 0) return;
        pictures.add(images);
        const byId = new Map(images.map((image) => [image.id, image]));
        list.edit((item) => {
          if (item.kind === 'object') return pictures.withPicture(item);
          const image = byId.get(item.id);
          // The response has no search highlights.
          return image ? { ...itemOfImage(image), highlights: item.highlights } : item;
        });
        // Data that a worker found in the images is counted in the facets.
        if (kind === 'images') recount();
      },
      [list, kind, recount],
    ),
    putObjects: useCallback(
      (objects: readonly ObjectRecord[]) => {
        const byId = new Map(objects.map((object) => [object.id, object]));
        list.edit((item) => {
          const object = byId.get(item.id);
          if (!object) return item;
          const { picture, derivedCount, highlights, foundOnPage } = item;
          return { ...itemOfObject(object), picture, derivedCount, highlights, foundOnPage };
        });
      },
      [list],
    ),
  };
  // The previous results stay while new ones load, so that the page does not jump.
  const previous = useRef(latest);
  const stale = latest.loading && !list.hasBegun && previous.current.kind === kind;
  if (!stale) previous.current = latest;
  return {
    ...(stale ? { ...previous.current, loading: true, problem: undefined } : latest),
    facets: latest.facets ?? (previous.current.kind === kind ? previous.current.facets : undefined),
    stale: stale && previous.current.items.end > 0,
    ...changes,
  };
}

const emptyList = new SparseList<ApiProblem>({
  pageSize,
  problemOf: asProblem,
  isPassing: () => false,
  loadPage: () => Promise.resolve({ items: [], nextCursor: null }),
  loadStops: () => Promise.resolve({ every: pageSize, cursors: [] }),
});

/** Returns the list with a key, or an empty list unless `active`. */
function useSparseList(
  key: string,
  active: boolean,
  source: () => ListSource<ApiProblem>,
): SparseList<ApiProblem> {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const list = useMemo(() => (active ? new SparseList(source()) : emptyList), [key, active]);
  useEffect(() => {
    if (list === emptyList) return;
    list.onChange = () => render(undefined);
    list.load(0, 1);
    return () => {
      list.onChange = () => undefined;
      list.close();
    };
  }, [list]);
  return list;
}
