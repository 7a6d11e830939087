import { useEffect, useRef, useState } from 'preact/hooks';
import type { ObjectRecord } from '../../../contracts/wire/objects.ts';
import { asProblem } from '../../api/hooks.ts';
import { send } from '../../api/request.ts';
import { toast } from '../../kit/toasts.tsx';
import { type Item, pictureOf } from './item.ts';
import { imagesOf, pageSize } from './requests.ts';

type Pictures = ReadonlyMap<string, Item['picture']>;

/** The pictures of those objects that are images, by the object; asked for as the list grows. */
export function usePictures(objects: readonly ObjectRecord[], active: boolean): Pictures {
  const [pictures, setPictures] = useState<Pictures>(new Map());
  const asked = useRef(new Set<string>());
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
        ({ data }) =>
          setPictures(
            (now) =>
              new Map([
                ...now,
                ...data.data.map((image) => [image.object_id, pictureOf(image)] as const),
              ]),
          ),
        (error: unknown) => toast('bad', asProblem(error).message),
      );
    }
  }, [objects, active]);
  return pictures;
}
