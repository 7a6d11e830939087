import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks';
import type { ListedImage } from '../../../../contracts/wire/library/images.ts';
import type { ObjectRecord } from '../../../../contracts/wire/library/objects.ts';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { type Picture, pictureOf } from '../item.ts';
import { imagesOf, pageSize } from '../requests.ts';

/** The pictures of objects; null for one without an image. They are added to, not copied: there are many. */
export interface Pictures {
  by: ReadonlyMap<string, Picture | null>;
  /** The objects in the order in which their pictures became known or changed. */
  log: readonly string[];
}

/**
 * Loads the pictures of those objects that are images, as the list grows. Returns them, with a function
 * that replaces some.
 */
export function usePictures(
  objects: readonly ObjectRecord[],
  active: boolean,
): readonly [Pictures, put: (images: readonly ListedImage[]) => void] {
  const known = useRef({ by: new Map<string, Picture | null>(), log: [] as string[] });
  const [, render] = useReducer((count: number) => count + 1, 0);
  const add = useCallback((pictures: Iterable<readonly [string, Picture | null]>): void => {
    for (const [id, picture] of pictures) {
      known.current.by.set(id, picture);
      known.current.log.push(id);
    }
    render(undefined);
  }, []);
  const put = useCallback((images: readonly ListedImage[]): void => {
    if (images.length === 0) return;
    add(images.map((image) => [image.object_id, pictureOf(image)] as const));
  }, []);
  const asked = useRef({ objects: [] as readonly ObjectRecord[], ids: new Set<string>() });
  useEffect(() => {
    if (!active) return;
    const { ids: before } = asked.current;
    const wanted = objects
      .slice(continued(asked.current.objects, objects))
      .filter((object) => hasPicture(object) && !before.has(object.id));
    asked.current.objects = objects;
    for (let at = 0; at < wanted.length; at += pageSize) {
      const ids = wanted.slice(at, at + pageSize).map(({ id }) => id);
      for (const id of ids) before.add(id);
      send(imagesOf(ids)).then(
        ({ data }) => {
          const found = new Map(data.data.map((image) => [image.object_id, pictureOf(image)]));
          add(ids.map((id) => [id, found.get(id) ?? null] as const));
        },
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    }
  }, [objects, active]);
  return [known.current, put];
}

/** How many elements at the beginning are those of the list before, which may have grown since. */
export function continued<T>(before: readonly T[], now: readonly T[]): number {
  const { length } = before;
  const isSame = length <= now.length && before[0] === now[0] && before.at(-1) === now[length - 1];
  return isSame ? length : 0;
}

/** Whether an object may have an image. */
export function hasPicture({ mime, state }: { mime: string; state: string }): boolean {
  return mime.startsWith('image/') && state !== 'trashed';
}
