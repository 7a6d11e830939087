import type { ListedImage } from '../../../contracts/wire/library/images.ts';
import type { ObjectRecord } from '../../../contracts/wire/library/objects.ts';

/** What a tile shows: an image, or any object. */
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
  /** The image could not be read. */
  damaged: boolean;
  /** Null for items without a picture. */
  picture: {
    imageId: string;
    /** As in `srcset`: renditions and their widths. */
    sizes: readonly (readonly [rendition: string, width: number])[];
    blurhash: string | null;
    width: number;
    height: number;
    alt: string;
    /** A worker has not created the renditions yet. */
    processing: boolean;
  } | null;
  highlights: ListedImage['highlights'];
}

export type Picture = NonNullable<Item['picture']>;

/** The picture of an image, with the renditions that exist. */
export function pictureOf(image: ListedImage): Picture {
  const { thumb, w320 } = image.renditions;
  const sizes = [
    ...(thumb ? [['thumb', thumb.width] as const] : []),
    ...(w320 ? [['w320', w320.width] as const] : []),
  ];
  return {
    imageId: image.id,
    sizes,
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
    damaged: image.error !== null,
    picture: pictureOf(image),
    highlights: image.highlights,
  };
}

export function itemOfObject(object: ObjectRecord): Item {
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
    processing: object.state === 'processing',
    damaged: false,
    picture: null,
    highlights: undefined,
  };
}

/** The path of an item's page, within the library. */
export function pathOfItem(item: Pick<Item, 'id' | 'kind'>): string {
  return item.kind === 'image' ? `/images/${item.id}` : `/objects/${item.id}`;
}
