import type { Facets, ImageFilters, ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { MonthCount, ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { useResource } from '../../api/hooks.ts';
import type { ApiProblem, QueryValue } from '../../api/request.ts';
import { type FileKind, fileKindOf } from './filters/file-kinds.ts';
import {
  defaultSort,
  imageFiltersOf,
  imageSortOptions,
  type ListKind,
  listKindOf,
  objectSortOptions,
  queryOf,
} from './filters/filters.ts';
import type { Item } from './item.ts';
import type { Items } from './list/items.ts';
import { countImages, countObjects, countResults, isRanked } from './list/requests.ts';
import { sourceOf } from './list/source.ts';
import { useItems } from './list/use-items.ts';

/** Objects have no orientation. */
export type ShownFacets = Pick<Facets, 'tag' | 'mime'> & Partial<Facets>;

/** A list of items, of which the visible ones are loaded, and its total. */
export interface Results {
  /** Changes with the list. */
  key: string;
  /** What is listed: images, objects, or members of a collection. */
  kind: ListKind | 'members';
  /** An item, as it is counted: an image, a PDF. */
  noun: string;
  /** The filters and order, as parameters of the API. */
  query: Record<string, QueryValue>;
  /** The order, including the default order; '' if it is that of the members. */
  sort: string;
  /** The orders that can be chosen. */
  sorts: readonly string[];
  /** The filter that matches exactly this list in changes by filter; null without one. */
  filter: ImageFilters | null;
  items: Items;
  /** The number of results; until the exact count is known, a lower bound. */
  count: number;
  /** The exact number; undefined until known. */
  total: number | undefined;
  facets: ShownFacets | undefined;
  /**
   * The months in which the items were added or, in the order of the date taken, were taken, newest
   * first; undefined until known, and for lists without.
   */
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
  /** Returns all items of the list, read page by page. @throws ApiProblem */
  loadAll: () => Promise<Item[]>;
  reload: () => void;
  /** Applies changes that the server has confirmed; null removes the item. */
  edit: (change: (item: Item) => Item | null) => void;
  /** Moves an item within the list. Returns whether the items between were loaded, so that it could. */
  move: (from: number, to: number) => boolean;
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
  const sort = address.get('sort') ?? defaultSort(address);
  const monthsBy = sort.endsWith('captured_at') ? 'captured_at' : undefined;
  const ranked = isRanked(query);
  const imageCount = useResource(
    active && isImages && !ranked ? countImages(filters, monthsBy) : null,
  );
  const objectCount = useResource(active && !isImages && !ranked ? countObjects(filters) : null);
  const resultCount = useResource(active && ranked ? countResults(kind, filters) : null);
  const results = useItems({
    key: JSON.stringify([kind, query]),
    kind,
    noun: nouns[fileKindOf(address)],
    query,
    sort,
    sorts: (isImages ? imageSortOptions : objectSortOptions).map(([sort]) => sort),
    // Changes by filter find fewer words than the search.
    filter: isImages && !ranked ? imageFiltersOf(address) : null,
    active,
    source: (pictures) => sourceOf(kind, query, maySeeImages ? pictures : null),
    counts: ranked ? resultCount : isImages ? imageCount : objectCount,
  });
  const { filter, correctedQuery } = results;
  return filter && correctedQuery !== undefined
    ? { ...results, filter: { ...filter, q: correctedQuery } }
    : results;
}

const nouns: Record<FileKind, string> = {
  '': 'item',
  images: 'image',
  pdf: 'PDF',
  office: 'Office file',
  text: 'text file',
};
