import type { Facets, ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { asProblem, useResource } from '../../api/hooks.ts';
import type { ApiProblem, QueryValue } from '../../api/request.ts';
import { type FileKind, fileKindOf } from './filters/file-kinds.ts';
import { defaultSort, type ListKind, listKindOf, queryOf } from './filters/filters.ts';
import { type Item, itemOfImage, itemOfObject } from './item.ts';
import type { Items } from './list/items.ts';
import { Pictures } from './list/pictures.ts';
import { countImages, countObjects, pageSize } from './list/requests.ts';
import { sourceOf } from './list/source.ts';
import { type ListSource, SparseList } from './list/sparse-list.ts';

/** Objects have no orientation. */
export type ShownFacets = Pick<Facets, 'tag' | 'mime'> & Partial<Facets>;

/** The results of the current filters: the loaded items, and the total. */
export interface Results {
  /** Changes with the filters. */
  key: string;
  kind: ListKind;
  fileKind: FileKind;
  query: Record<string, QueryValue>;
  /** The order, including the default order. */
  sort: string;
  items: Items;
  /** The number of results; until the exact count is known, a lower bound. */
  count: number;
  /** The exact number; undefined until known. */
  total: number | undefined;
  facets: ShownFacets | undefined;
  /** The months in which items were added, newest first; undefined until known. */
  months: readonly MonthCount[] | undefined;
  /** The query that was searched, if the words entered were corrected. */
  correctedQuery: string | undefined;
  problem: ApiProblem | undefined;
  loading: boolean;
  /** Whether the items belong to the previous filters, while those of the current ones load. */
  stale: boolean;
  /** Loads the items at these indexes, and eventually drops others. */
  load: (from: number, to: number) => void;
  /** Returns all items at these indexes once they are loaded; null if they cannot be loaded. */
  loadRange: (from: number, to: number) => Promise<Item[] | null>;
  reload: () => void;
  /** Applies changes that the server has confirmed; null removes the item. */
  edit: (change: (item: Item) => Item | null) => void;
  /** Replaces images with newer versions. */
  putImages: (images: readonly ListedImage[]) => void;
  /** Replaces objects with newer versions. */
  putObjects: (objects: readonly ObjectRecord[]) => void;
}

/** Loads the results for the filters in the address, unless `active` is false. */
export function useResults(
  address: URLSearchParams,
  active: boolean,
  maySeeImages: boolean,
): Results {
  const kind = listKindOf(address);
  const query = queryOf(address);
  const { sort: _, ...filters } = query;
  const isImages = kind === 'images';
  const imageCount = useResource(active && isImages ? countImages(filters) : null);
  const objectCount = useResource(active && !isImages ? countObjects(filters) : null);
  const counts = isImages ? imageCount : objectCount;
  const pictures = useRef(new Pictures()).current;
  // New filters start a new list.
  const key = JSON.stringify([kind, query]);
  const list = useSparseList(key, active, () =>
    sourceOf(kind, query, maySeeImages ? pictures : null),
  );
  const { items, removedCount } = list;

  // Removed items that the count still includes: each removal is followed by a new count.
  const lastCount = useRef({ data: counts.data, gone: removedCount });
  if (lastCount.current.data !== counts.data || removedCount < lastCount.current.gone) {
    lastCount.current = { data: counts.data, gone: removedCount };
  }
  const uncountedRemovals = removedCount - lastCount.current.gone;

  const total = counts.data?.total === undefined ? undefined : (counts.data.total ?? undefined);
  const latest: Omit<Results, keyof typeof changes | 'stale'> = {
    key,
    kind,
    fileKind: fileKindOf(address),
    query,
    sort: address.get('sort') ?? defaultSort(kind, address),
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
    facets: isImages ? imageCount.data?.facets : objectCount.data?.facets,
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
    reload: useCallback(() => {
      for (const { reload } of [latestList.current, imageCount, objectCount]) reload();
    }, [imageCount.reload, objectCount.reload]),
    edit: useCallback(
      (change: (item: Item) => Item | null) => {
        latestList.current.edit(change);
        recount();
      },
      [recount],
    ),
    putImages: useCallback(
      (images: readonly ListedImage[]) => {
        if (images.length === 0) return;
        pictures.add(images);
        const byId = new Map(
          images.map((image) => [isImages ? image.id : image.object_id, image] as const),
        );
        list.edit((item) => {
          const image = byId.get(item.id);
          if (!image) return item;
          // The response has no search highlights.
          return isImages
            ? { ...itemOfImage(image), highlights: item.highlights }
            : pictures.withPicture(item);
        });
        // Data that a worker found in the images is counted in the facets.
        if (isImages) recount();
      },
      [list, isImages, recount],
    ),
    putObjects: useCallback(
      (objects: readonly ObjectRecord[]) => {
        const byId = new Map(objects.map((object) => [object.id, object]));
        list.edit((item) => {
          const object = byId.get(item.id);
          if (!object) return item;
          const { picture, derivedCount } = item;
          return { ...itemOfObject(object), picture, derivedCount };
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

/** Returns the list for the current filters, or an empty list unless `active`. */
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
