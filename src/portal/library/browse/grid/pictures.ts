import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ListedImage } from '../../../../contracts/wire/library/images.ts';
import type { ObjectRecord } from '../../../../contracts/wire/library/objects.ts';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { type Picture, pictureOf } from '../item.ts';
import { imagesOf, pageSize } from '../requests.ts';

/** Null for an object without an image. */
type Pictures = ReadonlyMap<string, Picture | null>;

/**
 * Loads the pictures of those objects that are images, as the list grows. Returns them by object
 * identifier, with a function that replaces them.
 */
export function usePictures(
  objects: readonly ObjectRecord[],
  active: boolean,
): readonly [Pictures, put: (images: readonly ListedImage[]) => void] {
  const [pictures, setPictures] = useState<Pictures>(new Map());
  const asked = useRef(new Set<string>());
  const put = useCallback((images: readonly ListedImage[]): void => {
    if (images.length === 0) return;
    setPictures(
      (now) =>
        new Map([...now, ...images.map((image) => [image.object_id, pictureOf(image)] as const)]),
    );
  }, []);
  useEffect(() => {
    if (!active) return;
    const wanted = objects.filter((object) => hasPicture(object) && !asked.current.has(object.id));
    for (let at = 0; at < wanted.length; at += pageSize) {
      const ids = wanted.slice(at, at + pageSize).map(({ id }) => id);
      for (const id of ids) asked.current.add(id);
      send(imagesOf(ids)).then(
        ({ data }) => {
          const found = new Map(data.data.map((image) => [image.object_id, pictureOf(image)]));
          setPictures(
            (now) => new Map([...now, ...ids.map((id) => [id, found.get(id) ?? null] as const)]),
          );
        },
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    }
  }, [objects, active]);
  return [pictures, put];
}

/** Whether an object may have an image. */
export function hasPicture({ mime, state }: { mime: string; state: string }): boolean {
  return mime.startsWith('image/') && state !== 'trashed';
}
