import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Facets, ListedImage } from '../../../contracts/wire/library/images.ts';
import type {
  ListedObject,
  MonthCount,
  ObjectRecord,
} from '../../../contracts/wire/library/objects.ts';
import { useAnswer, useList } from '../../api/hooks.ts';
import type { ApiProblem, QueryValue } from '../../api/request.ts';
import { defaultSort, type Kind, kindOf, queryOf } from './filters/filters.ts';
import { type Show, showOf } from './filters/kinds.ts';
import { continued, hasPicture, usePictures } from './grid/pictures.ts';
import { type Item, itemOfImage, itemOfObject } from './item.ts';
import { countImages, countObjects, listImages, listObjects, pageSize } from './requests.ts';

/** Objects have no orientation. */
export type ShownFacets = Pick<Facets, 'tag' | 'mime'> & Partial<Facets>;

/** The results of the current filters: those loaded so far, and how many there are. */
export interface Results {
  /** Changes with the filters. */
  key: string;
  kind: Kind;
  show: Show;
  query: Record<string, QueryValue>;
  /** The order, also if it is the default. */
  sort: string;
  items: readonly Item[];
  /** The number of results; until the exact count is known, a lower bound. */
  count: number;
  /** The exact number; undefined until known. */
  total: number | undefined;
  facets: ShownFacets | undefined;
  /** By the month in which they were added, newest first; undefined until known. */
  months: readonly MonthCount[] | undefined;
  /** The query that was searched, if the words entered were corrected. */
  correctedQuery: string | undefined;
  problem: ApiProblem | undefined;
  loading: boolean;
  /** The items belong to the previous filters, while those of the current ones load. */
  stale: boolean;
  /** Loads pages until at least this many items are loaded. */
  need: (count: number) => void;
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
  const images = useList(active && isImages ? listImages(query) : null);
  const objects = useList(active && !isImages ? listObjects(query) : null);
  const imageCount = useAnswer(active && isImages ? countImages(filters) : null);
  const objectCount = useAnswer(active && !isImages ? countObjects(filters) : null);
  const list = isImages ? images : objects;
  const counts = isImages ? imageCount : objectCount;

  const { loaded, putPictures } = useItems(images.items, objects.items, isImages, maySeeImages);
  const { items, edit, put, putObjects, forget } = useChanges(
    loaded,
    isImages ? null : putPictures,
    counts.reload,
  );
  // Removed items that the count includes: each removal is followed by a new count.
  const gone = loaded.length - items.length;
  const counted = useRef({ data: counts.data, gone });
  if (counted.current.data !== counts.data) counted.current = { data: counts.data, gone };
  const uncounted = Math.max(0, gone - counted.current.gone);

  const [needed, need] = useState(0);
  useEffect(() => {
    if (items.length < needed && list.hasMore && !list.loading && !list.problem) list.more();
  }, [needed, items.length, list.hasMore, list.loading, list.problem]);
  // New filters start a new list.
  const key = JSON.stringify([kind, query]);
  useEffect(() => {
    need(0);
    forget();
  }, [key]);

  const total = counts.data?.total === undefined ? undefined : (counts.data.total ?? undefined);
  const fresh: Omit<Results, 'need' | 'reload' | 'edit' | 'put' | 'putObjects' | 'stale'> = {
    key,
    kind,
    show: showOf(address),
    query,
    sort: address.get('sort') ?? defaultSort(kind, address),
    items,
    count: list.hasMore ? Math.max(items.length + 1, (total ?? 0) - uncounted) : items.length,
    total: total === undefined ? undefined : Math.max(items.length, total - uncounted),
    facets: isImages ? imageCount.data?.facets : objectCount.data?.facets,
    months: counts.data?.months,
    correctedQuery: images.first?.mended_query,
    problem: list.problem,
    loading: list.loading,
  };
  // The previous results stay while new ones load, so that the page does not jump.
  const before = useRef(fresh);
  const stale = list.loading && loaded.length === 0 && before.current.kind === kind;
  if (!stale) before.current = fresh;
  return {
    ...(stale ? { ...before.current, loading: true, problem: undefined } : fresh),
    facets: fresh.facets ?? (before.current.kind === kind ? before.current.facets : undefined),
    stale: stale && before.current.items.length > 0,
    // Rounded up to whole pages: each change renders the whole screen.
    need: useCallback(
      (count: number) => need((now) => Math.max(now, Math.ceil(count / pageSize) * pageSize)),
      [],
    ),
    reload: useCallback(() => {
      // Both lists: an action may be taken back while the other one is shown.
      forget();
      for (const { reload } of [images, objects, imageCount, objectCount]) reload();
    }, [images.reload, objects.reload, imageCount.reload, objectCount.reload]),
    edit,
    put,
    putObjects,
  };
}

/**
 * Applies confirmed changes to the loaded items, until `forget`. With `putPictures`, newer images only
 * replace the pictures of objects.
 */
function useChanges(
  loaded: readonly Item[],
  putPictures: ((images: readonly ListedImage[]) => void) | null,
  recount: () => void,
) {
  const [changed, setChanged] = useState<ReadonlyMap<string, Item | null>>(new Map());
  const items = useMemo(
    () =>
      changed.size === 0
        ? loaded
        : loaded.flatMap((item) => {
            const now = changed.get(item.id);
            return now === null ? [] : [now ?? item];
          }),
    [loaded, changed],
  );
  const edit = useCallback(
    (change: (item: Item) => Item | null) => {
      setChanged((now) => {
        const next = new Map(now);
        for (const item of items) {
          const then = change(item);
          if (then !== item) next.set(item.id, then);
        }
        return next;
      });
      recount();
    },
    [items, recount],
  );
  const put = useCallback(
    (images: readonly ListedImage[]) => {
      if (images.length === 0) return;
      if (putPictures) return putPictures(images);
      setChanged((now) => {
        const next = new Map(now);
        for (const image of images) {
          // Items removed since stay removed. The response has no search highlights.
          if (next.get(image.id) === null) continue;
          const before = items.find(({ id }) => id === image.id);
          next.set(image.id, { ...itemOfImage(image), highlights: before?.highlights });
        }
        return next;
      });
      // What a worker found in the images counts in the facets.
      recount();
    },
    [putPictures, items, recount],
  );
  const putObjects = useCallback(
    (objects: readonly ObjectRecord[]) => {
      setChanged((now) => {
        const next = new Map(now);
        for (const object of objects) {
          const before = items.find(({ id }) => id === object.id);
          if (!before || next.get(object.id) === null) continue;
          const { picture, derivedCount } = before;
          next.set(object.id, { ...itemOfObject(object), picture, derivedCount });
        }
        return next;
      });
    },
    [items],
  );
  return { items, edit, put, putObjects, forget: useCallback(() => setChanged(new Map()), []) };
}

/**
 * The loaded records as items. Objects that are images get their pictures. Items keep their identity
 * while unchanged, so that memoised tiles are not rendered again; only those that are new or whose
 * picture has changed are made, since there may be a hundred thousand.
 */
function useItems(
  images: readonly ListedImage[],
  objects: readonly ListedObject[],
  isImages: boolean,
  maySeeImages: boolean,
) {
  const withPictures = !isImages && maySeeImages;
  const [pictures, putPictures] = usePictures(objects, withPictures);
  const pictured = (item: Item): Item => {
    if (!withPictures || !hasPicture(item)) return item;
    const picture = pictures.by.get(item.id);
    if (picture === undefined) return { ...item, pending: true };
    if (picture === null) return item;
    return {
      ...item,
      name: picture.title ?? item.name,
      picture,
      processing: item.processing || picture.processing,
    };
  };
  const made = useRef<{
    records: readonly (ListedImage | ListedObject)[];
    withPictures: boolean;
    items: readonly Item[];
    places: Map<string, number>;
    /** How much of the log of pictures they have. */
    logged: number;
  }>({ records: [], withPictures, items: [], places: new Map(), logged: 0 });
  const records: readonly (ListedImage | ListedObject)[] = isImages ? images : objects;
  const itemAt = (at: number): Item =>
    isImages ? itemOfImage(images[at]!) : pictured(itemOfObject(objects[at]!));
  const loaded = useMemo(() => {
    const before = made.current;
    const kept = before.withPictures === withPictures ? continued(before.records, records) : 0;
    const changed = pictures.log
      .slice(before.logged)
      .map((id) => before.places.get(id) ?? kept)
      .filter((at) => at < kept);
    let { items } = before;
    const places = kept > 0 ? before.places : new Map<string, number>();
    if (kept === 0 || kept < records.length || changed.length > 0) {
      const next = items.slice(0, kept);
      for (const at of changed) next[at] = itemAt(at);
      for (let at = kept; at < records.length; at++) {
        next.push(itemAt(at));
        places.set(records[at]!.id, at);
      }
      items = next;
    }
    made.current = { records, withPictures, items, places, logged: pictures.log.length };
    return items;
  }, [isImages, withPictures, images, objects, pictures.log.length]);
  return { loaded, putPictures };
}
