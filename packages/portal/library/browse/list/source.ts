import { asProblem } from '../../../api/hooks.ts';
import { type ApiProblem, type QueryValue, send } from '../../../api/request.ts';
import type { Kind } from '../filters/filters.ts';
import { itemOfImage, itemOfObject } from '../item.ts';
import { listImages, listObjects, pageSize, stopsOf } from './pages.ts';
import type { Pictures } from './pictures.ts';
import type { Source } from './sparse-list.ts';

const isPassing = ({ document }: ApiProblem): boolean => document.retryable;
const noStops = { every: pageSize, cursors: [] };

/**
 * Returns the list of images or objects that match a query; objects with their pictures, if there
 * are `pictures`.
 */
export function sourceOf(
  kind: Kind,
  query: Record<string, QueryValue>,
  pictures: Pictures | null,
): Source<ApiProblem> {
  if (kind === 'images') {
    return {
      pageSize,
      problemOf: asProblem,
      isPassing,
      load: async (cursor, signal) => {
        const { data } = await send(listImages({ ...query, cursor: cursor ?? undefined }), signal);
        const { next_cursor: next, mended_query: corrected } = data;
        return { items: data.data.map(itemOfImage), next, corrected };
      },
      stops: async (signal) => (await send(stopsOf(kind, query), signal)).data.stops ?? noStops,
    };
  }
  return {
    pageSize,
    problemOf: asProblem,
    isPassing,
    load: async (cursor, signal) => {
      const { data } = await send(listObjects({ ...query, cursor: cursor ?? undefined }), signal);
      const completed = pictures?.find(data.data, signal);
      return {
        items: data.data.map((object) => pictures?.itemOf(object) ?? itemOfObject(object)),
        next: data.next_cursor,
        ...(completed && { completed }),
      };
    },
    stops: async (signal) => (await send(stopsOf(kind, query), signal)).data.stops ?? noStops,
  };
}
