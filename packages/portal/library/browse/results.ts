import type { Facets, ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { asProblem, useAnswer } from '../../api/hooks.ts';
import type { ApiProblem, QueryValue } from '../../api/request.ts';
import { defaultSort, type Kind, kindOf, queryOf } from './filters/filters.ts';
import { type Show, showOf } from './filters/kinds.ts';
import { type Item, itemOfImage, itemOfObject } from './item.ts';
import type { Items } from './list/items.ts';
import { countImages, countObjects, pageSize } from './list/pages.ts';
import { Pictures } from './list/pictures.ts';
import { sourceOf } from './list/source.ts';
import { type Source, SparseList } from './list/sparse-list.ts';

/** Objects have no orientation. */
export type ShownFacets = Pick<Facets, 'tag' | 'mime'> & Partial<Facets>;

/** The results of the current filters: the loaded items, and the total. */
export interface Results {
  /** Changes with the filters. */
  key: string;
  kind: Kind;
  show: Show;
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
  need: (from: number, to: number) => void;
  /** All items at these indexes, once they are loaded; null if they cannot be. */
  range: (from: number, to: number) => Promise<Item[] | null>;
  reload: () => void;
  /** Applies changes that the server has confirmed; null removes the item. */
  edit: (change: (item: Item) => Item | null) => void;
  /** Replaces images with newer versions. */
  put: (images: readonly ListedImage[]) => void;
  /** Replaces objects with newer versions. */
  putObjects: (objects: readonly ObjectRecord[]) => void;
}

/** Loads the results for the filters in the address, unless `active` is false. */
export function useResults(
  address: URLSearchParams,
  active: boolean,
  maySeeImages: boolean,
): Results {
  const kind = kindOf(address);
  const query = queryOf(address);
  const { sort: _, ...filters } = query;
  const isImages = kind === 'images';
  const imageCount = useAnswer(active && isImages ? countImages(filters) : null);
  const objectCount = useAnswer(active && !isImages ? countObjects(filters) : null);
  const counts = isImages ? imageCount : objectCount;
  const pictures = useRef(new Pictures()).current;
  // New filters start a new list.
  const key = JSON.stringify([kind, query]);
  const list = useSparseList(key, active, () =>
    sourceOf(kind, query, maySeeImages ? pictures : null),
  );
  const { items, gone } = list;

  // Removed items that the count still includes: each removal is followed by a new count.
  const counted = useRef({ data: counts.data, gone });
  if (counted.current.data !== counts.data || gone < counted.current.gone) {
    counted.current = { data: counts.data, gone };
  }
  const uncounted = gone - counted.current.gone;

  const total = counts.data?.total === undefined ? undefined : (counts.data.total ?? undefined);
  const fresh: Omit<Results, keyof typeof changes | 'stale'> = {
    key,
    kind,
    show: showOf(address),
    query,
    sort: address.get('sort') ?? defaultSort(kind, address),
    items,
    // All loaded items may be gone while there are more.
    count:
      list.count ??
      (items.end === 0 && gone === 0 ? 0 : Math.max(items.end + 1, (total ?? 0) - uncounted)),
    total: total === undefined ? undefined : Math.max(list.count ?? items.end, total - uncounted),
    facets: isImages ? imageCount.data?.facets : objectCount.data?.facets,
    months: counts.data?.months,
    correctedQuery: list.corrected,
    problem: list.problem,
    loading: active && (list.loading || !list.hasBegun),
  };
  const recount = counts.reload;
  // An action may end, or be undone, while another list is shown.
  const current = useRef(list);
  current.current = list;
  const changes = {
    need: useCallback((from: number, to: number) => list.want(from, to), [list]),
    range: useCallback((from: number, to: number) => list.range(from, to), [list]),
    reload: useCallback(() => {
      for (const { reload } of [current.current, imageCount, objectCount]) reload();
    }, [imageCount.reload, objectCount.reload]),
    edit: useCallback(
      (change: (item: Item) => Item | null) => {
        current.current.edit(change);
        recount();
      },
      [recount],
    ),
    put: useCallback(
      (images: readonly ListedImage[]) => {
        if (images.length === 0) return;
        pictures.put(images);
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
  const before = useRef(fresh);
  const stale = fresh.loading && !list.hasBegun && before.current.kind === kind;
  if (!stale) before.current = fresh;
  return {
    ...(stale ? { ...before.current, loading: true, problem: undefined } : fresh),
    facets: fresh.facets ?? (before.current.kind === kind ? before.current.facets : undefined),
    stale: stale && before.current.items.end > 0,
    ...changes,
  };
}

const nothing = new SparseList<ApiProblem>({
  pageSize,
  problemOf: asProblem,
  isPassing: () => false,
  load: () => Promise.resolve({ items: [], next: null }),
  stops: () => Promise.resolve({ every: pageSize, cursors: [] }),
});

/** The list for these filters; an empty one unless `active`. */
function useSparseList(
  key: string,
  active: boolean,
  source: () => Source<ApiProblem>,
): SparseList<ApiProblem> {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const list = useMemo(() => (active ? new SparseList(source()) : nothing), [key, active]);
  useEffect(() => {
    if (list === nothing) return;
    list.onChange = () => render(undefined);
    list.want(0, 1);
    return () => {
      list.onChange = () => undefined;
      list.close();
    };
  }, [list]);
  return list;
}
