import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { type Item, itemOfObject, type Picture, pictureOf } from '../item.ts';
import { imagesOf } from './requests.ts';

/** Number of cached pictures above which the cache is cleared. */
const maxPictures = 20_000;

/** Caches the images of objects, which are separate resources. */
export class Pictures {
  /** Null for an object without an image. */
  readonly pictures = new Map<string, Picture | null>();

  /** Returns an object as an item, with its picture if that is known. */
  itemOf(object: ObjectRecord): Item {
    return this.withPicture(itemOfObject(object));
  }

  withPicture(item: Item): Item {
    if (!mayHaveImage(item)) return item;
    const picture = this.pictures.get(item.id);
    if (picture === undefined) return { ...item, pending: true };
    if (picture === null) return item.pending ? { ...item, pending: false } : item;
    return {
      ...item,
      pending: false,
      name: picture.title ?? item.name,
      picture,
      processing: item.state === 'processing' || picture.processing,
    };
  }

  add(images: readonly ListedImage[]): void {
    for (const image of images) this.pictures.set(image.object_id, pictureOf(image));
  }

  areMissing(objects: readonly ObjectRecord[]): boolean {
    return objects.some((object) => this.#isMissing(object));
  }

  #isMissing(object: ObjectRecord): boolean {
    return mayHaveImage(object) && !this.pictures.has(object.id);
  }

  /** Loads the unknown pictures of a page of objects. */
  async loadMissing(
    objects: readonly ObjectRecord[],
    signal: AbortSignal,
  ): Promise<(item: Item) => Item> {
    const ids = objects.filter((object) => this.#isMissing(object)).map(({ id }) => id);
    try {
      const { data } = await send(imagesOf(ids), signal);
      if (this.pictures.size > maxPictures) this.pictures.clear();
      for (const id of ids) this.pictures.set(id, null);
      this.add(data.data);
    } catch (error) {
      if (signal.aborted) throw error;
      toast('bad', asProblem(error).message);
    }
    return (item) => (item.pending ? this.withPicture(item) : item);
  }
}

/** Whether an object may have an image. */
export function mayHaveImage({ mime, state }: { mime: string; state: string }): boolean {
  return mime.startsWith('image/') && state !== 'trashed';
}
