import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ListedImage } from '../../../../contracts/wire/library/images.ts';
import type { ObjectRecord } from '../../../../contracts/wire/library/objects.ts';
import { asProblem } from '../../../api/hooks.ts';
import { send } from '../../../api/request.ts';
import { toast } from '../../../kit/toasts.tsx';
import { type Picture, pictureOf } from '../item.ts';
import { imagesOf, pageSize } from '../requests.ts';

type Pictures = ReadonlyMap<string, Picture>;

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
    const wanted = objects.filter(
      ({ id, mime, state }) =>
        mime.startsWith('image/') && state !== 'trashed' && !asked.current.has(id),
    );
    for (let at = 0; at < wanted.length; at += pageSize) {
      const ids = wanted.slice(at, at + pageSize).map(({ id }) => id);
      for (const id of ids) asked.current.add(id);
      send(imagesOf(ids)).then(
        ({ data }) => put(data.data),
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    }
  }, [objects, active]);
  return [pictures, put];
}
