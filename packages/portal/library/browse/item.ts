import { isUnpaged } from '@scriptorium/contracts/documents/sources';
import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { ListedObject } from '@scriptorium/contracts/wire/library/objects';
import type { SearchResult } from '@scriptorium/contracts/wire/library/search';

/** An item of the grid: an image, or any other object. */
export interface Item {
  id: string;
  kind: 'image' | 'object';
  objectId: string;
  name: string;
  filename: string;
  mime: string;
  bytes: number;
  state: string;
  tags: readonly string[];
  version: number;
  processing: boolean;
  createdAt: string;
  /** Null while unknown, and for files without pages. */
  pages: number | null;
  /** The number of objects derived from it; 0 if the count was not requested. */
  derivedCount: number;
  isDerived: boolean;
  /** Whether its picture is still being loaded. */
  pending: boolean;
  /** The image could not be read. */
  damaged: boolean;
  /** Null for items without a picture. */
  picture: {
    imageId: string;
    title: string | null;
    /** As in `srcset`: renditions and their widths. */
    sizes: readonly (readonly [rendition: string, width: number])[];
    /** The renditions of all sizes. */
    allSizes: readonly (readonly [rendition: string, width: number])[];
    blurhash: string | null;
    width: number;
    height: number;
    alt: string;
    /** A worker has not created the renditions yet. */
    processing: boolean;
  } | null;
  /** The fields that match the search; `text` is that of a document. */
  highlights: ListedImage['highlights'];
  /** Shown in place of the type and the size. */
  caption?: { text: string; at?: string };
  /** The page of a document on which the search found it. */
  foundOnPage: number | null;
}

export type Picture = NonNullable<Item['picture']>;

/** Returns the picture of an image, with the renditions that exist. */
export function pictureOf(image: ListedImage): Picture {
  const sizesOf = (...names: (keyof ListedImage['renditions'])[]) =>
    names.flatMap((name) => {
      const rendition = image.renditions[name];
      return rendition ? [[name, rendition.width] as const] : [];
    });
  return {
    imageId: image.id,
    title: image.title,
    sizes: sizesOf('thumb', 'w320'),
    allSizes: sizesOf('thumb', 'w320', 'w640', 'w1280'),
    blurhash: image.blurhash,
    width: image.width ?? 4,
    height: image.height ?? 3,
    alt: image.alt_text ?? '',
    processing: image.processing,
  };
}

export function itemOfImage(image: ListedImage): Item {
  return {
    id: image.id,
    kind: 'image',
    objectId: image.object_id,
    name: image.title ?? image.filename,
    filename: image.filename,
    mime: image.mime,
    bytes: image.bytes,
    state: image.state,
    tags: image.tags,
    version: image.version,
    processing: image.processing,
    createdAt: image.created_at,
    pages: null,
    derivedCount: 0,
    isDerived: false,
    pending: false,
    damaged: image.error !== null,
    picture: pictureOf(image),
    highlights: image.highlights,
    foundOnPage: null,
  };
}

/** An object with the passage that a search found. */
export function itemOfResult(object: ListedObject, result: SearchResult): Item {
  const { title, page } = result;
  return {
    ...itemOfObject(object),
    name: title,
    highlights: highlightsOf(result),
    foundOnPage: page,
  };
}

/** The passage of a result. */
export const highlightsOf = ({ field, excerpt }: SearchResult): Item['highlights'] =>
  field && excerpt ? { [field]: excerpt } : undefined;

export function itemOfObject(object: ListedObject): Item {
  return {
    id: object.id,
    kind: 'object',
    objectId: object.id,
    name: object.filename,
    filename: object.filename,
    mime: object.mime,
    bytes: object.bytes,
    state: object.state,
    tags: object.tags,
    version: object.version,
    processing: object.state === 'processing' || awaitsPageCount(object),
    createdAt: object.created_at,
    pages: object.mime.startsWith('image/') ? null : object.pages,
    derivedCount: object.derived_count ?? 0,
    isDerived: object.derived_from !== null,
    pending: false,
    damaged: false,
    picture: null,
    highlights: undefined,
    foundOnPage: null,
  };
}

/**
 * The time within which the pages of an upload are counted, in milliseconds. A file that has no
 * page count after that has no pages.
 */
const pageCountTimeoutMs = 10 * 60_000;

function awaitsPageCount({ mime, state, pages, created_at }: ListedObject): boolean {
  if (mime !== 'application/pdf' || state !== 'available' || pages !== null) return false;
  return Date.now() - new Date(created_at).getTime() < pageCountTimeoutMs;
}

/**
 * Whether the first page of an item can be shown: that of a PDF, or the text of another document,
 * which is drawn as a page.
 */
export function hasFirstPage({ mime, pages, state }: Item): boolean {
  if (state !== 'available') return false;
  return mime === 'application/pdf' ? pages !== null : isUnpaged(mime);
}

/** A member of a collection that the key cannot read. */
export function unknownItem(kind: Item['kind'], id: string): Item {
  return {
    id,
    kind,
    objectId: id,
    name: id,
    filename: id,
    mime: 'application/octet-stream',
    bytes: 0,
    state: 'available',
    tags: [],
    version: 1,
    processing: false,
    createdAt: '',
    pages: null,
    derivedCount: 0,
    isDerived: false,
    pending: false,
    damaged: false,
    picture: null,
    highlights: undefined,
    foundOnPage: null,
    caption: { text: '' },
  };
}

/** Returns the path of an item's page, within the library. */
export function pathOfItem(item: Pick<Item, 'id' | 'kind'>): string {
  return item.kind === 'image' ? `/images/${item.id}` : `/objects/${item.id}`;
}

/**
 * Returns the path of an item's page with the query of the list, `?…` or empty, and the page that
 * was found.
 */
export function pathInList(item: Item, listQuery: string): string {
  if (item.foundOnPage === null) return pathOfItem(item) + listQuery;
  const query = new URLSearchParams(listQuery);
  query.set('page', String(item.foundOnPage));
  return `${pathOfItem(item)}?${query}`;
}
