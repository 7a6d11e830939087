import type { ListedImage } from '@scriptorium/contracts/wire/library/images';
import type { ObjectRecord } from '@scriptorium/contracts/wire/library/objects';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { type Item, itemOfObject, type Picture, pictureOf } from '../item.ts';
import { imagesOf } from './pages.ts';

/** More pictures are not remembered. */
const maxKnown = 20_000;

/** The images of objects, which are separate resources. */
export class Pictures {
  /** Null for an object without an image. */
  readonly #known = new Map<string, Picture | null>();

  /** An object as an item, with its picture as far as that is known. */
  itemOf(object: ObjectRecord): Item {
    return this.withPicture(itemOfObject(object));
  }

  withPicture(item: Item): Item {
    if (!hasPicture(item)) return item;
    const picture = this.#known.get(item.id);
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

  put(images: readonly ListedImage[]): void {
    for (const image of images) this.#known.set(image.object_id, pictureOf(image));
  }

  /** Looks up the pictures of a page of objects that are not known; undefined if all are. */
  find(
    objects: readonly ObjectRecord[],
    signal: AbortSignal,
  ): Promise<(item: Item) => Item> | undefined {
    const ids = objects
      .filter((object) => hasPicture(object) && !this.#known.has(object.id))
      .map(({ id }) => id);
    return ids.length === 0 ? undefined : this.#ask(ids, signal);
  }

  async #ask(ids: readonly string[], signal: AbortSignal): Promise<(item: Item) => Item> {
    try {
      const { data } = await send(imagesOf(ids), signal);
      if (this.#known.size > maxKnown) this.#known.clear();
      for (const id of ids) this.#known.set(id, null);
      this.put(data.data);
    } catch (error) {
      if (signal.aborted) throw error;
      toast('bad', asProblem(error).message);
    }
    return (item) => (item.pending ? this.withPicture(item) : item);
  }
}

/** Whether an object may have an image. */
export function hasPicture({ mime, state }: { mime: string; state: string }): boolean {
  return mime.startsWith('image/') && state !== 'trashed';
}
