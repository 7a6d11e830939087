import type { ListedObject } from '@scriptorium/contracts/wire/library/objects';
import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, type QueryValue, send } from '../../../api/request.ts';
import type { ListKind } from '../filters/filters.ts';
import { highlightsOf, type Item, itemOfImage, itemOfObject, itemOfResult } from '../item.ts';
import type { Pictures } from './pictures.ts';
import {
  imagesOf,
  isRanked,
  listImages,
  listObjects,
  listResults,
  listStops,
  objectsOf,
  pageSize,
  searchPageSize,
} from './requests.ts';
import type { ListSource, LoadedPage } from './sparse-list.ts';

const isTransient = ({ document }: ApiProblem): boolean => document.retryable;
const noStops = { every: pageSize, cursors: [] };

/**
 * Returns the list of images or objects that match a query. With `pictures`, objects have their
 * pictures; `itemOf` presents them in another way.
 */
export function sourceOf(
  kind: ListKind,
  query: Record<string, QueryValue>,
  pictures: Pictures | null,
  itemOf: (object: ListedObject) => Item = (object) =>
    pictures?.itemOf(object) ?? itemOfObject(object),
): ListSource<ApiProblem> {
  if (isRanked(query)) {
    return {
      pageSize: searchPageSize,
      problemOf: asProblem,
      isPassing: isTransient,
      loadPage: (cursor, signal) =>
        kind === 'images'
          ? loadImageResults(query, cursor, signal)
          : loadResults(query, pictures, cursor, signal),
      loadStops: async (signal) =>
        (await send(listStops(kind, query), signal)).data.stops ?? noStops,
    };
  }
  if (kind === 'images') {
    return {
      pageSize,
      problemOf: asProblem,
      isPassing: isTransient,
      loadPage: async (cursor, signal) => {
        const { data } = await send(listImages({ ...query, cursor: cursor ?? undefined }), signal);
        const { next_cursor: next, mended_query: corrected } = data;
        return { items: data.data.map(itemOfImage), nextCursor: next, correctedQuery: corrected };
      },
      loadStops: async (signal) =>
        (await send(listStops(kind, query), signal)).data.stops ?? noStops,
    };
  }
  return {
    pageSize,
    problemOf: asProblem,
    isPassing: isTransient,
    loadPage: async (cursor, signal) => {
      const { data } = await send(listObjects({ ...query, cursor: cursor ?? undefined }), signal);
      return {
        items: data.data.map(itemOf),
        nextCursor: data.next_cursor,
        ...(pictures?.areMissing(data.data) && {
          complete: () => pictures.loadMissing(data.data, signal),
        }),
      };
    },
    loadStops: async (signal) => (await send(listStops(kind, query), signal)).data.stops ?? noStops,
  };
}

/** Loads a page of a search, and the objects on it. */
async function loadResults(
  query: Record<string, QueryValue>,
  pictures: Pictures | null,
  cursor: string | null,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const { data } = await send(
    listResults('objects', { ...query, cursor: cursor ?? undefined }),
    signal,
  );
  const ids = data.data.map((result) => result.object_id);
  const objects = ids.length === 0 ? [] : (await send(objectsOf(ids), signal)).data.data;
  const byId = new Map(objects.map((object) => [object.id, object]));
  return {
    // Objects that were purged in the meantime are left out.
    items: data.data.flatMap((result) => {
      const object = byId.get(result.object_id);
      if (!object) return [];
      const item = itemOfResult(object, result);
      return [pictures?.withPicture(item) ?? item];
    }),
    nextCursor: data.next_cursor,
    correctedQuery: data.mended_query,
    ...(pictures?.areMissing(objects) && {
      complete: () => pictures.loadMissing(objects, signal),
    }),
  };
}

/** Loads a page of a search for images, and the images on it. */
async function loadImageResults(
  query: Record<string, QueryValue>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const page = { ...query, cursor: cursor ?? undefined };
  const { data } = await send(listResults('images', page), signal);
  const ids = data.data.map((result) => result.object_id);
  const images = ids.length === 0 ? [] : (await send(imagesOf(ids, query.state), signal)).data.data;
  const byId = new Map(images.map((image) => [image.object_id, image]));
  return {
    // Images that were purged in the meantime are left out.
    items: data.data.flatMap((result) => {
      const image = byId.get(result.object_id);
      return image ? [{ ...itemOfImage(image), highlights: highlightsOf(result) }] : [];
    }),
    nextCursor: data.next_cursor,
    correctedQuery: data.mended_query,
  };
}
