import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Facets, ListedImage } from '../../../contracts/wire/images.ts';
import { useAnswer, useList } from '../../api/hooks.ts';
import type { ApiProblem, QueryValue } from '../../api/request.ts';
import { type Kind, kindOf, queryOf } from './filters/filters.ts';
import { usePictures } from './grid/pictures.ts';
import { type Item, itemOfImage, itemOfObject } from './item.ts';
import { countImages, countObjects, listImages, listObjects, pageSize } from './requests.ts';

/** What matches the filters: the beginning of it that is loaded, and how much it is in all. */
export interface Results {
  /** Another one for other filters. */
  key: string;
  kind: Kind;
  query: Record<string, QueryValue>;
  items: readonly Item[];
  /** How many match: exact, or as many as are known until the count is there. */
  count: number;
  /** Exact; undefined until it is known. */
  total: number | undefined;
  facets: Facets | undefined;
  /** What was searched instead of what was typed. */
  mended: string | undefined;
  problem: ApiProblem | undefined;
  loading: boolean;
  /** What is shown belongs to the filters before: these are being asked for. */
  stale: boolean;
  /** Loads until this many are there. */
  need: (count: number) => void;
  reload: () => void;
  /** Shows changes that the server has confirmed. */
  edit: (change: (item: Item) => Item | null) => void;
  /** Shows these images as they are now. */
  put: (images: readonly ListedImage[]) => void;
}

/** Lists what the address filters; `active` is false where nothing of it is shown. */
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

  const [pictures, putPictures] = usePictures(objects.items, !isImages && maySeeImages);
  // The same item as long as nothing of it changes: what shows it need not be drawn anew.
  const made = useRef(new WeakMap<object, Item>());
  const itemOf = <R extends object>(record: R, make: (record: R) => Item): Item => {
    const known = made.current.get(record) ?? make(record);
    made.current.set(record, known);
    return known;
  };
  const pictured = (item: Item): Item => {
    const picture = pictures.get(item.id);
    if (!picture) return item;
    const known = made.current.get(picture);
    if (known?.version === item.version && known.state === item.state) return known;
    const next = { ...item, picture, processing: item.processing || picture.processing };
    made.current.set(picture, next);
    return next;
  };
  const [changed, setChanged] = useState<ReadonlyMap<string, Item | null>>(new Map());
  const loaded = useMemo(
    () =>
      isImages
        ? images.items.map((one) => itemOf(one, itemOfImage))
        : objects.items.map((one) => pictured(itemOf(one, itemOfObject))),
    [isImages, images.items, objects.items, pictures],
  );
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
  const gone = loaded.length - items.length;

  const [needed, need] = useState(0);
  useEffect(() => {
    if (items.length < needed && list.hasMore && !list.loading && !list.problem) list.more();
  }, [needed, items.length, list.hasMore, list.loading, list.problem]);
  // Other filters, another list: it begins at its beginning.
  const key = JSON.stringify([kind, query]);
  useEffect(() => {
    need(0);
    setChanged(new Map());
  }, [key]);

  const total = counts.data?.total === undefined ? undefined : (counts.data.total ?? undefined);
  const fresh: Omit<Results, 'need' | 'reload' | 'edit' | 'put' | 'stale'> = {
    key,
    kind,
    query,
    items,
    count: list.hasMore ? Math.max(items.length + 1, (total ?? 0) - gone) : items.length,
    total: total === undefined ? undefined : Math.max(items.length, total - gone),
    facets: imageCount.data?.facets,
    mended: images.first?.mended_query,
    problem: list.problem,
    loading: list.loading,
  };
  // While other filters are asked for, what was there stays, so that nothing jumps.
  const before = useRef(fresh);
  const stale = list.loading && loaded.length === 0 && before.current.kind === kind;
  if (!stale) before.current = fresh;
  return {
    ...(stale ? { ...before.current, loading: true, problem: undefined } : fresh),
    facets: fresh.facets ?? before.current.facets,
    stale: stale && before.current.items.length > 0,
    // By whole pages: what is drawn anew for it is the whole screen.
    need: useCallback(
      (count: number) => need((now) => Math.max(now, Math.ceil(count / pageSize) * pageSize)),
      [],
    ),
    reload: useCallback(() => {
      setChanged(new Map());
      list.reload();
      counts.reload();
    }, [list.reload, counts.reload]),
    edit: useCallback(
      (change: (item: Item) => Item | null) => {
        setChanged((now) => {
          const next = new Map(now);
          for (const item of items) {
            const then = change(item);
            if (then !== item) next.set(item.id, then);
          }
          return next;
        });
        counts.reload();
      },
      [items, counts.reload],
    ),
    put: useCallback(
      (images: readonly ListedImage[]) => {
        if (images.length === 0) return;
        if (!isImages) return putPictures(images);
        setChanged((now) => {
          const next = new Map(now);
          for (const image of images) {
            // Removed meanwhile stays removed; where a search found it the answer does not say.
            if (next.get(image.id) === null) continue;
            const before = items.find(({ id }) => id === image.id);
            next.set(image.id, { ...itemOfImage(image), highlights: before?.highlights });
          }
          return next;
        });
      },
      [isImages, items],
    ),
  };
}
